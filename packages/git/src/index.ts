// Safe git, for whatever keeps versions of files, and which paths such a file may have.

export {
  foldPath,
  type GitCall,
  type GitEnd,
  type GitInput,
  gitEnvironment,
  initGit,
  type PathResult,
  plainPath,
  runGit,
  shownPath,
} from "./run-git.ts";
export { askGit, runUserGit, tryUserGit, type UserGitCall, userGitEnvironment } from "./user-git.ts";

// Safe git, for whatever keeps versions of files, and which paths such a file may have.

export { foldPath, type PathResult, plainPath, shownPath } from "./paths.ts";
export { type GitCall, type GitEnd, type GitInput, gitEnvironment, initGit, runGit } from "./run-git.ts";
export { askGit, runUserGit, tryUserGit, type UserGitCall, userGitEnvironment } from "./user-git.ts";

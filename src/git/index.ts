// Safe git, for whatever keeps versions of files.

export type { GitEnd, GitInput } from "./process.ts";
export { type GitCall, gitEnvironment, initGit, runGit } from "./run-git.ts";
export { runUserGit, tryUserGit, type UserGitCall, userGitEnvironment } from "./user-git.ts";

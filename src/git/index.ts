// Safe git, for whatever keeps versions of files.

export { type GitCall, gitEnvironment, initGit, runGit } from "./run-git.ts";

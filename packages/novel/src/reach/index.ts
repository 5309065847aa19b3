// Which files feedback reaches, for whoever measures how well that is said.

export { plainReach, ReachForm, readReach } from "./propose.ts";
export { type Survey, surveyFiles } from "./survey.ts";
export { nameOfFile, readFileList } from "./words.ts";

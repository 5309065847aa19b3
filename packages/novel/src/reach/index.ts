// Which files feedback reaches, for whoever measures how well that is said.

export { LastForm, plainReach, ReachForm, reachVariables, readReach, wordsWanted } from "./propose.ts";
export { type Survey, surveyFiles } from "./survey.ts";
export { nameOfFile, readFileList } from "./words.ts";

// Where in a workspace a runner is started for a test file: a workspace may be one of several packages, each with its own.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** Test files by the folder that their runner is started in: the nearest one that configures it or has it installed, unless the
 * workspace's own configuration names projects. */
export function byFolder({ workspace, files }, { name, isConfiguration, hasProjects }) {
  const isPlace = (folder) => isConfigured(folder, isConfiguration) || existsSync(`${folder}/node_modules/${name}`);
  const isWhole = configurations(workspace, isConfiguration).some(hasProjects);
  return Map.groupBy(files, (file) => (isWhole ? workspace : (above(file, workspace).find(isPlace) ?? workspace)));
}

/** The folder of an installed package as a folder of the workspace sees it. */
export function installed(name, folder, workspace) {
  const found = [folder, ...above(folder, workspace)].find((each) => existsSync(`${each}/node_modules/${name}`));
  return found && `${found}/node_modules/${name}`;
}

/** The texts of what configures a runner in a folder. */
export function configurations(folder, isConfiguration) {
  const texts = readdirSync(folder).map((name) => [name, () => readFileSync(`${folder}/${name}`, "utf8")]);
  return texts.flatMap(([name, read]) => (isConfiguration(name, read) ? [read()] : []));
}

function isConfigured(folder, isConfiguration) {
  return existsSync(folder) && configurations(folder, isConfiguration).length > 0;
}

/** The folders above a path, the nearest first, up to the workspace's own. */
function above(path, workspace) {
  const folder = dirname(path);
  return folder.startsWith(`${workspace}/`) ? [folder, ...above(folder, workspace)] : [workspace];
}

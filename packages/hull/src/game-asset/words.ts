// What is told of a game asset, in words. It is loaded for help too.

/** Where its files are, in the attempt's folder. */
export const FOLDER = "game-asset";

/** What was told, in words. */
export function assetWords({ triangles, problems }: { triangles: number[]; problems: string[] }) {
  if (problems.length > 0)
    return { words: "game asset: not as it should be", diff: problems.map((problem) => `- ${problem}`).join("\n") };
  return `game asset: three levels of ${triangles.join(", ")} triangles, unwrapped, and asset.fbx, in ${FOLDER}/`;
}

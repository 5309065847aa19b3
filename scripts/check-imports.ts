// Imports between packages go through exports, and each package says what it needs: this check reads every import,
// package.json and tsconfig.json, and says which one does not hold.

import { cycleFindings } from "./check-imports/cycles.ts";
import { loopNameFindings } from "./check-imports/loop-names.ts";
import { manifestFindings } from "./check-imports/manifests.ts";
import { targetFindings } from "./check-imports/targets.ts";
import { readTree } from "./check-imports/tree.ts";

const tree = readTree();
const findings = [
  ...tree.files.flatMap((file) => targetFindings(file, tree)),
  ...manifestFindings(tree),
  ...cycleFindings(tree),
  ...loopNameFindings(tree),
];

for (const { place, message } of findings) console.error(`${place}: ${message}`);
if (findings.length > 0) process.exitCode = 1;
console.log(
  `${tree.packages.length} packages, ${tree.files.length} files: imports go through exports and in no circle`,
);

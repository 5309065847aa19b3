// Tries every hostile version, both languages at a time, and prints how many were felt; for whoever runs it.

import { openSandbox } from "@loopwright/sandbox";
import { languages, openHostile } from "../hostile-trials.ts";

const sandbox = await openSandbox("bwrap");
let [count, felt] = [0, 0];

async function tryAll(language: (typeof languages)[number]): Promise<void> {
  await using trials = await openHostile(language, sandbox);
  for (const version of language.versions) {
    count += 1;
    try {
      await trials.tryBetween(version);
    } catch (error) {
      felt += 1;
      console.log(`${language.name}, ${version.title}: ${error}`);
    }
  }
}

await Promise.all(languages.map(tryAll));
console.log(`${count} versions, ${felt} were felt`);

// Loaded before a test file: tested code cannot change what `node:assert` and `node:test` are.

import assert from "node:assert";
import { syncBuiltinESMExports } from "node:module";
import test from "node:test";

for (const each of [assert, assert.strict]) Object.freeze(each);
for (const name of ["describe", "it", "suite", "test", "before", "after", "beforeEach", "afterEach"]) {
  if (typeof test[name] === "function")
    Object.defineProperty(test, name, { value: test[name], writable: false, configurable: false });
}
syncBuiltinESMExports();

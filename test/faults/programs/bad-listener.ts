// Drives `fill` with a listener or a view that fails as it is told to, and prints the result.
//
//   node bad-listener.ts '{ "dir": …, "fails": … }'

import { setTimeout } from "node:timers/promises";
import { Project, projectPorts } from "@loopwright/core";
import { fill } from "./loops.ts";

const { dir, fails } = JSON.parse(process.argv[2]!) as { dir: string; fails: string };

const bad = async () => {
  throw new Error("no");
};
const ways: Record<string, object> = {
  "a listener rejects": { on: bad },
  "a listener rejects later": { on: () => setTimeout(1).then(bad) },
  "a listener rejects with something odd": { on: () => Promise.reject(Object.create(null)) },
  "a listener throws a symbol": {
    on: () => {
      throw Symbol("no");
    },
  },
  "a view cannot save": { view: { saved: bad, show: async () => {} } },
  "a view cannot show": { view: { saved: async () => {}, show: bad } },
};
const project = new Project(dir, { ...(await projectPorts(dir)), ...ways[fails] });
const { run, outcome } = await project.start(fill, { rounds: 2, bytes: 10, files: true });
await setTimeout(20);
console.log(JSON.stringify({ outcome, isWhole: (await project.verify(run)).ok }));
await project.close();

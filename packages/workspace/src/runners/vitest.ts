// The vitest of the workspace, each test file in a process of its own, with tests of ours at its end.
//
//   V1  A file is run under the configuration that is nearest to it.
//   V2  The report is vitest's, read by its parent once all of its processes are dead.
//   V3  Tests of ours that must fail do in every file, and the others pass, or the file's results are not believed.

import { z } from "zod";
import { readPrograms } from "../programs.ts";
import { canariesInScript, tamperedWith } from "./canaries.ts";
import { allOrNone, eachForItself, errorWith, failureOf, namedResults, parentReport } from "./evidence.ts";
import { type JunitCase, readJunit } from "./junit.ts";
import type { Evidence, Finding, Runner, RunnerRun, TestFile } from "./types.ts";

const PROGRAMS = readPrograms("node/runners");
const CANARY_HEAD = 'const { test, expect } = await import("vitest"); const same = (a, b) => expect(a).toBe(b);\n';

export const vitestRunner: Runner = {
  name: "vitest",
  namesBySource: true,

  job({ workspace, reports, guards, isolated, files, canaries }) {
    const facts = { workspace, reports, guards, isolated, files: files.map(({ inside }) => inside) };
    return {
      command: ["node", "--no-warnings", `${guards}/run-vitest.mjs`, JSON.stringify(facts)],
      guards: { ...PROGRAMS, "canaries.txt": `{ ${CANARY_HEAD}${canariesInScript(canaries)} }` },
      env: { NO_COLOR: "1", CI: "1" },
    };
  },

  read(evidence, run) {
    const { data: groups } = Groups.safeParse(parentReport(evidence)?.groups);
    if (!groups) return { fault: errorWith("vitest ended without a report", evidence.output) };
    const loose = groups
      .flatMap(({ errors }) => errors)
      .find(({ file }) => !run.files.some((own) => own.inside === file));
    if (loose) return { fault: outside(loose.message, evidence) };
    const read = groups.map((group) => readGroup(group, evidence, run));
    const files = run.files.map((file): Finding => {
      const at = groups.findIndex((group) => group.files.includes(file.inside));
      return at < 0 ? { fault: `vitest was not given ${file.path}` } : read[at]!(file);
    });
    return run.isLenient ? eachForItself(files, run.files) : allOrNone(files);
  },
};

const Group = z.object({
  root: z.string(),
  files: z.array(z.string()),
  xml: z.string().nullable(),
  /** What went wrong outside of tests, and in the process of which file. */
  errors: z.array(z.object({ file: z.string().optional(), message: z.string() })),
});
type Group = z.infer<typeof Group>;
const Groups = z.array(Group);

/** What a run of vitest says of each of its files. */
function readGroup({ root, xml, errors }: Group, evidence: Evidence, run: RunnerRun): (file: TestFile) => Finding {
  const { cases, fault } = readJunit(xml ?? "");
  if (xml === null) return () => ({ fault: errorWith("vitest ended without a report", evidence.output) });
  if (fault !== undefined) return () => ({ fault: errorWith(fault, evidence.output) });
  return (file) => {
    const isFile = (name: string) => [file.inside, file.path].includes(name) || `${root}/${name}` === file.inside;
    const own = cases.filter(({ classname, name }) => isFile(classname) || isFile(name));
    const error = errors.find((each) => each.file === file.inside);
    // Where each file answers for itself, one that the configuration leaves out is none of the suite's.
    if (run.isLenient && own.length === 0 && !error) return { tests: [] };
    const broken = own.filter(({ state, isError, name }) => state === "failed" && (isError || isFile(name)));
    if (broken.length > 0) return { fault: ["The tests could not be collected:", ...broken.map(failureOf)].join("\n") };
    if (error) return { fault: outside(error.message, evidence) };
    return readCases(file, own, run);
  };
}

function readCases({ path }: TestFile, cases: readonly JunitCase[], { canaries }: RunnerRun): Finding {
  const isOurs = ({ name }: JunitCase) => canaries.some((own) => own.name === name);
  const ours = cases.filter(isOurs);
  const tampered = tamperedWith(canaries, new Map(ours.map(({ name, state }) => [name, state])));
  if (tampered !== undefined) return { fault: tampered };
  const theirs = cases.filter((each) => !isOurs(each));
  return { tests: namedResults(theirs, ({ name }) => `${path} > ${name}`) };
}

function outside(message: string, { output }: Evidence): string {
  return errorWith(`vitest met errors outside its tests: ${message.split("\n", 1)[0]}`, output);
}

// The end of a run in words: what was changed, and what the tests say of it. Pure.

/** How many lines of a change are shown; of a longer one its files. */
export const SHOWN_LINES = 50;

/** A changed file, and how many lines were added and removed; null where it is no text. */
export type ChangedFile = {
  path: string;
  added: number | null;
  removed: number | null;
};

export type ChangeNote = {
  files: readonly ChangedFile[];
  /** How many files there are in all, where some are left out. */
  count: number;
  /** The change itself, where it is short. */
  diff?: string;
  /** Where the whole lies in the run's folder. */
  patch?: string;
};

/** What was changed: the lines where they are few, else the files. */
export function changeWords({ files, count, diff, patch }: ChangeNote): string | { words: string; diff: string } {
  if (count === 0) return "nothing was changed";
  const sum = (key: "added" | "removed") => files.reduce((total, each) => total + (each[key] ?? 0), 0);
  const many = count === 1 ? files[0]!.path : `${count} files`;
  const where = patch === undefined || diff !== undefined ? "" : `; the whole is in ${patch}`;
  const words = `changed ${many}: +${sum("added")} −${sum("removed")}${where}`;
  if (diff !== undefined) return { words, diff: shownLines(diff).join("\n") };
  const rows = files.map(({ path, added, removed }) =>
    added === null ? `  ${path}  (no text)` : `  ${path}  +${added} −${removed}`,
  );
  const more = count - files.length;
  return { words, diff: [...rows, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n") };
}

/** The lines of a patch that say something to a person. */
export function shownLines(patch: string): string[] {
  return patch
    .trimEnd()
    .split("\n")
    .filter((line) => !/^(?:diff --git |index |(?:new|deleted) file mode |(?:old|new) mode )/.test(line));
}

export type Tally = {
  passed: number;
  of: number;
};

export type ResultsNote = {
  /** Of a repository: what the change is for, and what passed before. */
  targets?: Tally;
  suite?: Tally;
  /** How many still fail that failed before. */
  failed_before?: number;
  /** Of a program of the run's own. */
  tests?: Tally;
  held_out?: Tally;
  /** Why nothing can be told. */
  fault?: string;
};

/** What the tests say of the result. */
export function resultWords({ targets, suite, failed_before = 0, tests, held_out, fault }: ResultsNote): string {
  if (fault !== undefined) return `the tests could not be run: ${fault}`;
  const parts = [
    targets && `${tally(targets)} target ${targets.of === 1 ? "test passes" : "tests pass"}`,
    suite && `${tally(suite)} of the suite that passed before`,
    failed_before > 0
      ? `${failed_before} still ${failed_before === 1 ? "fails" : "fail"} that failed before`
      : undefined,
    tests && `${tally(tests)} ${tests.of === 1 ? "test passes" : "tests pass"}`,
    held_out && `${tally(held_out)} held-out`,
  ];
  return `results: ${parts.filter((part) => part !== undefined).join(", ")}`;
}

function tally({ passed, of }: Tally): string {
  return `${passed} of ${of}`;
}

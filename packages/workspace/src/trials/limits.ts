// How long a version's tests may take, by what the passing tests of the program as it stands took.

/** A test of the program as it stands, as a warm worker ran it. */
export interface BaselineTest {
  name: string;
  state: "passed" | "failed" | "skipped" | "xfailed";
  /** Seconds of CPU, and milliseconds of the clock. */
  cpu: number;
  ms: number;
  /** Whether it was cut because it took too long. */
  cut?: boolean;
  /** Lines that it executed, by path. */
  lines?: Record<string, number[]>;
}

/** What a worker holds a child to; seconds where nothing else is said. */
export interface TrialLimits {
  /** CPU for each test by name, and for others under `*`. */
  cpu: Record<string, number>;
  /** CPU for loading the program, and for everything together. */
  load: number;
  total: number;
  /** Of the clock, with no test begun or ended; and with no process doing anything. */
  wall: number;
  idle: number;
  /** Bytes. */
  memory: number;
}

const LEAST_CPU = 0.2;
const LEAST_LOAD = 0.5;
const LEAST_WALL = 5;
const LEAST_IDLE = 0.5;
const TIMES = 20;
const LOAD_TIMES = 10;
/** What a test may take at the baseline before it is cut. */
const BASELINE_CPU = 1;
const BASELINE_SLOW_CPU = 10;
/** How much slower a program runs that tells its lines. */
const TRACED_TIMES = 50;

/** Limits for the first run of the program as it stands; patient ones where the runner has shown that it ends. */
export function baselineLimits(memoryBytes: number, isPatient = false): TrialLimits {
  const cpu = isPatient ? BASELINE_SLOW_CPU : BASELINE_CPU;
  return limitsWith({ "*": cpu }, { load: BASELINE_SLOW_CPU, wall: 3 * cpu + LEAST_WALL, idle: 2 * cpu, memoryBytes });
}

/** Limits for a run that tells what each test executed; what was cut before is cut again. */
export function coverageLimits(tests: readonly BaselineTest[], load: number, memoryBytes: number): TrialLimits {
  const cpu: Record<string, number> = { "*": BASELINE_SLOW_CPU };
  for (const test of tests) cpu[test.name] = test.cut ? BASELINE_CPU : Math.max(BASELINE_CPU, test.cpu * TRACED_TIMES);
  const longest = slowest(tests.filter(({ cut }) => !cut).map(({ ms }) => ms / 1000));
  return limitsWith(cpu, {
    load: LEAST_LOAD + load * TRACED_TIMES,
    wall: LEAST_WALL + longest * TRACED_TIMES,
    idle: 2 * BASELINE_CPU + 3 * longest,
    memoryBytes,
  });
}

/** Limits for versions. */
export function versionLimits(tests: readonly BaselineTest[], load: number, memoryBytes: number): TrialLimits {
  const passing = tests.filter(({ state }) => state === "passed");
  const cpus = passing.map(({ cpu }) => cpu).sort((a, b) => a - b);
  const typical = cpus[Math.floor(cpus.length / 2)] ?? 0;
  const others = Math.max(LEAST_CPU, TIMES * typical, 3 * slowest(cpus));
  const cpu: Record<string, number> = { "*": others };
  for (const test of passing) cpu[test.name] = Math.max(LEAST_CPU, TIMES * test.cpu);
  const longest = slowest(passing.map(({ ms }) => ms / 1000));
  const wall = Math.max(LEAST_WALL, 10 * slowest(Object.values(cpu)), 5 * longest);
  const idle = Math.max(LEAST_IDLE, 3 * longest);
  return limitsWith(cpu, { load: Math.max(LEAST_LOAD, LOAD_TIMES * load), wall, idle, memoryBytes });
}

/** How long a worker may take over one version at most, in milliseconds. */
export function patienceMs({ wall, load, cpu }: TrialLimits): number {
  const all = Object.values(cpu).reduce((sum, each) => sum + each, 0);
  return 1000 * (30 + 5 * wall + 2 * load + 2 * all);
}

function limitsWith(
  cpu: Record<string, number>,
  { load, wall, idle, memoryBytes }: { load: number; wall: number; idle: number; memoryBytes: number },
): TrialLimits {
  const total = Math.ceil(load + Object.values(cpu).reduce((sum, each) => sum + each, 0)) + 600;
  return { cpu, load, total, wall, idle, memory: Math.floor(memoryBytes * 0.75) };
}

function slowest(values: readonly number[]): number {
  return Math.max(0, ...values);
}

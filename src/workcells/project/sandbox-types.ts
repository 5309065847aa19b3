// The sandbox that generated programs run in: what may be reached, how much may be used, how it ended.

/** What a sandboxed process may use. */
export interface Limits {
  /** Milliseconds of wall clock and of CPU. */
  wallMs: number;
  cpuMs: number;
  memoryBytes: number;
  processes: number;
  /** The largest single file, and what the private /tmp may hold. */
  fileBytes: number;
  outputChars: number;
}

export interface SandboxJob {
  /** The program and its arguments, without a shell. */
  command: readonly string[];
  /** The workspace: the only folder of the machine that is writable. */
  workspace: string;
  /** Paths of the workspace that are read-only inside; those that do not exist cannot be made either. */
  readOnly: readonly string[];
  /** Further folders that are seen read-only, by the path they have inside. */
  mounts?: Readonly<Record<string, string>>;
  /** Further folders that are writable, such as one for reports. */
  writable?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  limits: Limits;
  signal: AbortSignal;
}

export interface SandboxOutcome {
  code: number | null;
  /** The limit that stopped it, in words. */
  stopped?: string;
  /** stdout and stderr as they came, cut at both ends. */
  output: string;
  ms: number;
}

export interface Sandbox {
  readonly kind: "bwrap" | "none";
  run(job: SandboxJob): Promise<SandboxOutcome>;
}

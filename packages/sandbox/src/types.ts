// The sandbox that generated programs run in: what may be reached, how much may be used, how it ended.

/** What a sandboxed process may use. */
export interface Limits {
  /** Milliseconds of wall clock, and of CPU over all processes together. */
  wallMs: number;
  cpuMs: number;
  /** Over all processes together. */
  memoryBytes: number;
  /** Processes and their threads, as the kernel counts: a Node process is about a dozen. */
  processes: number;
  /** The largest single file, and what the private /tmp may hold. */
  fileBytes: number;
  /** How much the workspace and the writable folders may grow; a gigabyte where it is left out. */
  diskBytes?: number;
  outputChars: number;
}

/** A conversation with a job while it runs: its input stays open, and its output is handed on as it comes. */
export interface JobChannel {
  /** Called once, with what writes to the job's input. */
  onStart(write: (text: string) => void): void;
  onOutput(chunk: Uint8Array): void;
}

/** A program to run, with all that it may see and use. */
export interface SandboxJob {
  /** The program and its arguments, without a shell. */
  command: readonly string[];
  /** The workspace: the only folder of the machine that is writable. */
  workspace: string;
  /** Where the job sees it; /workspace where it is left out. */
  inside?: string;
  /** Paths of the workspace that are read-only inside; what does not exist, and is made, is removed after the job. */
  readOnly: readonly string[];
  /** Further folders that are seen read-only, by the path they have inside. */
  mounts?: Readonly<Record<string, string>>;
  /** Further folders that are writable, such as one for reports, by the path they have inside. */
  writable?: Readonly<Record<string, string>>;
  /** Folders of these that the job finds empty, may write, and leaves nothing of, by the path they have inside. */
  scratch?: readonly string[];
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** In place of `stdin`, where the job is talked with. */
  channel?: JobChannel;
  /** Whether it reaches the network, as only commands of the user's own may. */
  network?: boolean;
  limits: Limits;
  /** Aborting kills everything at once, and the job rejects with the signal's reason. */
  signal: AbortSignal;
}

/** How a job ended. */
export interface SandboxOutcome {
  code: number | null;
  /** The limit that stopped it, in words. */
  stopped?: string;
  /** stdout and stderr as they came, cut at both ends. */
  output: string;
  /** What the job left and was removed: protected paths that had not been there, git directories, sockets, pipes. */
  removed?: string[];
  ms: number;
}

/** What runs jobs: bubblewrap, or nothing in between where the user says so. */
export interface Sandbox {
  readonly kind: "bwrap" | "none";
  run(job: SandboxJob): Promise<SandboxOutcome>;
}

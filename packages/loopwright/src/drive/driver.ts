// The driver: starts runs and resumes them, with everything that a person expects round them. Every front end has it beneath.

import { join } from "node:path";
import {
  type Answer,
  type Ceilings,
  checkValue,
  type DraftMessages,
  type Driven,
  type DriveRun,
  type Driver,
  defaultCeilings,
  type FirstPrompt,
  type FrontEnd,
  type GateRecord,
  isFinal,
  type Json,
  type Loop,
  type LoopEvent,
  LoopwrightError,
  type Model,
  type Project,
  plainJson,
  type RunRecord,
  type RunResult,
  type StartRun,
  TERMINATED_EXIT,
  UsageError,
  type WorkcellStart,
} from "@loopwright/core";
import { withRoleDefaults } from "@loopwright/models/configuration";
import { plainLine } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import {
  type Configuration,
  givenCeilings,
  keptFlags,
  recordRedactor,
  refuseUnknownCost,
  settingsOf,
  workspaceSecretsOf,
} from "../configuration/configuration.ts";
import type { Watch } from "../display/watch.ts";
import { type FoundPackage, withAttempts } from "../loops/find-package.ts";
import { draftMessages } from "../outbox.ts";
import { openTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { runControl } from "../trust/control.ts";
import { remember } from "../trust/trust.ts";
import { FlagAnswers, readAnswer, refuseAnswer } from "./answers.ts";
import type { Plan } from "./dry-run.ts";
import { otherModels, ringFor, watchInterrupts } from "./notices.ts";

/** What a run is driven with. */
interface Drive extends DriveRun {
  configuration: Configuration;
  loop: Loop;
  /** What is known of a run that is resumed. */
  past: Partial<Watch>;
  settings: Json;
  begin: (project: Project, signal: AbortSignal) => Promise<RunResult>;
}

type Workcells = () => Promise<Readonly<Record<string, WorkcellStart>> | undefined>;

export class RunDriver implements Driver, AsyncDisposable {
  readonly #cli: Cli;
  readonly #found: FoundPackage;
  readonly #open: () => Promise<Project>;
  readonly #workcells: Workcells;
  /** Opened once, so that what is wrong with it is told once. */
  #telemetry: Promise<Telemetry | undefined> | undefined;
  /** Told every event while a run is driven. */
  #listener: (event: LoopEvent) => void = () => {};
  #models: ((role: string, attempt?: number) => Model) | undefined;
  #redact: (text: string) => string = (text) => text;
  #messages: DraftMessages = () => [];
  readonly #answers: FlagAnswers;

  constructor(cli: Cli, found: FoundPackage, open: () => Promise<Project>, workcells: Workcells) {
    this.#cli = cli;
    this.#found = found;
    this.#open = open;
    this.#workcells = workcells;
    this.#answers = new FlagAnswers(cli, found.package.gates);
  }

  /** What the driver gives to the project that it drives runs of. */
  get ports() {
    return {
      on: (event: LoopEvent) => this.#listener(event),
      models: (role: string, attempt?: number) => this.#models!(role, attempt),
      redact: (text: string) => this.#redact(text),
      messages: ((...event) => this.#messages(...event)) as DraftMessages,
      answers: (gate: GateRecord) => this.#answers.policy(gate),
    };
  }

  async start(given: unknown, options: StartRun = {}): Promise<Driven> {
    const cli = this.#cli;
    const { configuration, loop, input, start } = await this.#plan(given, options);
    const { config } = start;
    if (cli.isSet("dry-run")) return this.#showPlan(loop, { ...start, input }, true);
    refuseUnknownCost(configuration);
    const said = { flags: keptFlags(config), settings: config, input };
    // An issue may have come with the folder. What the user starts a run with, a resume of it may have too.
    if (options.issue !== undefined) await cli.allow([runControl(cli.dir, { ...said, flags: {} })]);
    remember([runControl(cli.dir, said)]);
    await options.prepare?.();
    return this.#drive({
      ...options,
      configuration,
      loop,
      past: {},
      settings: config,
      begin: async (project, signal) => (await project.start(loop, input, { ...start, signal })) as RunResult,
    });
  }

  async firstPrompt(given: unknown): Promise<FirstPrompt | { reason: string }> {
    const { seeFirstPrompt } = await import("./dry-run.ts");
    const { loop, input, start } = await this.#plan(given, {});
    const plan = { ...start, input };
    return seeFirstPrompt(this.#cli, this.#found, loop, plan, await this.#workcells());
  }

  /** What a run would be started with. */
  async #plan(given: unknown, options: StartRun) {
    const cli = this.#cli;
    const configuration = await cli.configuration();
    const attempts = cli.number("attempts") ?? 1;
    const several = attempts > 1 ? withAttempts(this.#found) : undefined;
    const one = await this.#found.loop();
    const own = plainJson(given, "input");
    // The engine checks it too; here nothing has been made yet that a wrong one could leave behind.
    checkValue(one.input, own, "input");
    const [seed, slug] = [cli.number("seed"), options.slug];
    const limits = { ...options.ceilings, ...configuration.ceilings, ...options.raised };
    const { name, package: found } = this.#found;
    // The block of the loop itself: what a run is started with where its command says nothing else.
    const settings = options.settings ?? (configuration.block(name, await found.configuration?.()) as Json | undefined);
    const config = {
      ...(await settingsOf(cli)),
      ...(options.issue !== undefined && { issue: options.issue }),
      ...(settings !== undefined && { [name]: settings }),
    };
    const [loop, input, ceilings] = several
      ? [await several.loop(), ...severally(attempts, own, limits)]
      : [one, own, limits];
    const start = { ceilings, config, ...(seed !== undefined && { seed }), ...(slug !== undefined && { slug }) };
    return { configuration, loop, input, start };
  }

  async resume(run: string | RunRecord, options: DriveRun = {}): Promise<Driven> {
    const cli = this.#cli;
    const project = await this.#open();
    const record = typeof run === "string" ? await project.record(run) : run;
    const { input, config: settings } = await startOf(project, record);
    const configuration = await cli.configurationFor({ flags: keptFlags(settings), settings, input });
    const loop = await this.#found.loop();
    const given = { ...givenCeilings(cli, configuration), ...options.raised };
    if (cli.isSet("dry-run")) {
      const ceilings = { ...record.ceilings, ...given };
      return this.#showPlan(loop, { ceilings, config: settings, input, seed: record.seed }, false);
    }
    refuseUnknownCost(configuration);
    const { file } = options;
    const resume = { ceilings: given, take: options.take === true, ...(file && { file }) };
    return this.#drive({
      ...options,
      configuration,
      loop,
      past: pastOf(record),
      settings,
      begin: async (_project, signal) => (await project.resume(loop, record, { ...resume, signal })) as RunResult,
    });
  }

  async #showPlan(loop: Loop, plan: Plan, isNew: boolean): Promise<Driven> {
    const { showPlan, seeFirstPrompt } = await import("./dry-run.ts");
    const prompt = isNew
      ? await seeFirstPrompt(this.#cli, this.#found, loop, plan, await this.#workcells())
      : { reason: "the run has begun; `show` has its prompts" };
    return { exitCode: await showPlan(this.#cli, loop, plan, prompt) };
  }

  async #drive({ configuration, loop, past, settings, begin, ...options }: Drive): Promise<Driven> {
    const { terminal } = this.#cli;
    const project = await this.#open();
    const telemetry = await this.#ready(configuration, workspaceSecretsOf(settings, this.#found.name));
    const root = join(project.dir, "runs");
    const lines = terminal.isJson ? (await import("../display/json-lines.ts")).jsonLines(terminal, root) : undefined;
    const front = options.frontEnd ?? (await this.#frontEnd(project, past, options.closing));
    let run = past.run;
    // Whoever drives a run by a front end of their own is there to be asked.
    const isAnswered = (gate: GateRecord) => options.frontEnd !== undefined || this.#answers.knows(gate);
    this.#messages = draftMessages(configuration.notify, isAnswered, this.#found.package.webhooks);
    const otherModel = otherModels(configuration.models.doctor);
    this.#listener = (event) => {
      if (run === undefined) options.begun?.(event.run);
      run ??= event.run;
      lines?.take(event);
      const other = otherModel(event);
      if (other !== undefined) front.say(plainLine(this.#cli.told(other)));
      ringFor(terminal, event, this.#found.package.bells);
      this.#cli.outbox.take(event);
      telemetry?.on(event);
      // Given back, so that a front end which takes its time may fail without ending the process.
      return front.take(event);
    };
    using signal = watchInterrupts(() => front.say("stopping; nothing is lost, and Ctrl-C again stops at once"));
    try {
      for (const line of options.opening ?? []) terminal.say(this.#redact(line));
      let result = await begin(project, signal);
      while (result.gate && !signal.aborted) {
        front.rest();
        const answer = await this.#choose(front, result.gate, signal);
        if (answer === undefined) break;
        const { counted } = await project.answer(result.gate.run, answer.choice, answer.note);
        if (!counted) front.say("someone else had answered already; that answer counts");
        const next = await project.resume(loop, result.run, { signal });
        result = next as RunResult;
        // A choice that leaves the run as it is has been made; the gate stays open, but is not asked again here.
        if (!next.advanced) break;
      }
      front.rest();
      lines?.finish(result);
      await front.end(result);
      for (const line of this.#answers.unused(result.gate)) terminal.warn(`loopwright: ${line}`);
      // A run that SIGTERM has stopped, also at its question, was given back in order.
      const isTerminated = signal.exit() === TERMINATED_EXIT && ["interrupted", "waiting"].includes(result.outcome);
      return { exitCode: isTerminated ? TERMINATED_EXIT : result.exitCode, result };
    } catch (error) {
      throw this.#toldError(error, run);
    } finally {
      front.rest();
      this.#listener = () => {};
      this.#messages = () => [];
    }
  }

  async #frontEnd(project: Project, past: Partial<Watch>, closing: DriveRun["closing"]): Promise<FrontEnd> {
    const { CommandFrontEnd } = await import("./command-front-end.ts");
    return new CommandFrontEnd(this.#cli, this.#found.package, project, past, closing);
  }

  /** A person's choice for a gate, asked in the package's words; undefined where nobody answers. */
  async #choose(front: FrontEnd, gate: GateRecord, signal: AbortSignal): Promise<Answer | undefined> {
    const { gates } = this.#found.package;
    const question = gates[gate.name]?.question?.(gate) ?? gate.question;
    for (;;) {
      const line = await front.ask({ ...gate, question }, signal);
      if (line === undefined) return undefined;
      const answer = readAnswer(gate, line, gates);
      if (answer) return answer;
      front.say(plainLine(refuseAnswer(gate, line, gates)));
    }
  }

  /** An error as it may be printed, with the run that it stopped. */
  #toldError(error: unknown, run: string | undefined): unknown {
    if (!(error instanceof Error)) return error;
    const [message, stack] = [error.message, error.stack ?? ""].map((text) => this.#redact(text));
    return Object.assign(error, { message, stack, ...(run !== undefined && { stoppedRun: run }) });
  }

  /** Has the models that this configuration names, and what is secret there and in the run's workspace. */
  async #ready({ models, secrets: own }: Configuration, ofRun: readonly string[]): Promise<Telemetry | undefined> {
    const secrets = [...own, ...ofRun];
    this.#telemetry ??= openTelemetry();
    const [{ openModels }, telemetry] = await Promise.all([import("@loopwright/models/open"), this.#telemetry]);
    this.#models = openModels(withRoleDefaults(models, this.#found.package.roles), { secrets });
    this.#redact = recordRedactor(secrets);
    return telemetry;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#telemetry)?.close();
  }
}

/** What several attempts are given in place of one: how many iterations there may be holds for each, the rest for all together. */
function severally(attempts: number, input: Json, { iterations, ...limits }: Partial<Ceilings>) {
  const given = { attempts, ...(iterations !== undefined && { iterations }), input };
  return [given as Json, { ...limits, phaseMinutes: limits.minutes ?? defaultCeilings.minutes }] as const;
}

/** What a run was started with. Of one that has ended for good nothing else is wanted, so what was pruned of it may be gone. */
async function startOf(project: Project, record: RunRecord): Promise<{ input: Json; config: Json }> {
  const { run, ended } = record;
  if (ended && isFinal(ended.outcome)) {
    const { value: started } = await project.events(run).next();
    if (started?.type === "run-started") return started;
  }
  try {
    return await project.given(record);
  } catch (error) {
    if (!(error instanceof LoopwrightError && error.code === "VALUE_RELEASED")) throw error;
    const message = `run ${run} was pruned, and what it would go on with is gone; start a new one ('loopwright show ${run}' has what is left of it)`;
    throw new UsageError("RUN_PRUNED", message, { cause: error });
  }
}

/** What the display should know of the run's past. */
function pastOf(record: RunRecord): Partial<Watch> {
  const { run, ceilings, scores, usage: used, active, iterations } = record;
  if (record.ended && isFinal(record.ended.outcome)) return { run };
  return { run, ceilings, scores: [...scores], ...used, active, iteration: iterations };
}

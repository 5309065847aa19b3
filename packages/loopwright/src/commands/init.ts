// `loopwright init`: a project to start from. Nothing that is there is overwritten.

import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { nearest, type Template, usage } from "@loopwright/core";
import { commandLine, shellWord } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { readSources } from "../configuration/sources.ts";
import { loadPackages } from "../loops/find-package.ts";
import { defaultLoops, loadLoops, trustedLoops } from "../loops/sources.ts";
import { remember } from "../trust/trust.ts";

export async function run(cli: Cli): Promise<number> {
  const name = cli.text("loop") ?? "tidy";
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw usage(`'${name}' is no name for a loop: use a-z, 0-9 and -`);
  const folder = resolve(cli.arguments[0]!);
  refuseInsideFile(folder);
  const { files, finish, hint, next } = await templateOf(cli, name);
  const texts = await files(folder);
  const taken = Object.keys(texts).filter((file) => existsSync(join(folder, file)));
  if (taken.length > 0) {
    const loop = cli.text("loop");
    const other = commandLine(["init", toHere(join(folder, name)), ...(loop === undefined ? [] : ["--loop", loop])]);
    const what = `${folder} already has ${taken.join(", ")}; nothing was written`;
    throw usage(`${what}. Name another folder, such as: ${other}`);
  }
  const isDry = cli.isSet("dry-run");
  const fault = isDry ? undefined : await writeWhole(folder, texts, finish);
  const written = Object.keys(texts);
  const trusted = next.map((step) => (fault === undefined ? step : step.replace(/^loopwright \w+/, "$& --trust")));
  const steps = [...(folder === process.cwd() ? [] : [`cd ${shellWord(toHere(folder))}`]), ...trusted];
  const { terminal } = cli;
  if (fault !== undefined)
    terminal.warn(`loopwright: that this project is trusted could not be remembered (${fault}): it needs --trust`);
  if (terminal.isJson) terminal.document("init", { folder, files: written, next: steps, dryRun: isDry });
  else {
    terminal.say(isDry ? `It would write into ${folder}:` : `Written into ${folder}:`);
    for (const file of written) terminal.print(`  ${file}`);
    terminal.say("\nNext:");
    if (hint !== undefined) terminal.say(`  ${hint}`);
    for (const command of steps) terminal.say(`  ${command}`);
    if (!isOnPath("loopwright"))
      terminal.say(`(\`npm link\` in ${packageRoot} makes \`loopwright\` a command everywhere.)`);
  }
  return 0;
}

function toHere(path: string): string {
  return relative(process.cwd(), path);
}

/** Writes a project; gives back why the trust in it could not be remembered, where it could not. Where something fails, what was new in
 * the folder goes again. What was just written needs no question; where the folder asked for more before, the whole of it still does. */
async function writeWhole(
  folder: string,
  texts: Record<string, string>,
  finish: Template["finish"],
): Promise<string | undefined> {
  const made = firstMissing(folder);
  const before = new Set(made === undefined ? readdirSync(folder) : []);
  const ignore = join(folder, ".gitignore");
  const kept = before.has(".gitignore") ? readFileSync(ignore) : undefined;
  const isAsking = (await readSources(folder)).control.lines.length > 0;
  try {
    await writeAll(folder, texts);
    await finish?.(folder);
  } catch (error) {
    const left = made === undefined ? readdirSync(folder).filter((name) => !before.has(name)) : [];
    for (const file of [...Object.keys(texts), ...left]) rmSync(join(folder, file), { recursive: true, force: true });
    if (kept) writeFileSync(ignore, kept);
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return isAsking ? undefined : remember([(await readSources(folder)).control]);
}

/** The topmost folder of a path that is not there yet. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  return firstMissing(dirname(path)) ?? path;
}

function refuseInsideFile(folder: string): void {
  const missing = firstMissing(folder);
  const above = missing === undefined ? folder : dirname(missing);
  if (!statSync(above).isDirectory()) throw usage(`${above} is a file, so no project can be in it`);
}

const packageRoot = join(import.meta.dirname, "../..");

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** The template of that name; where no package has one, a small loop of that name. */
async function templateOf({ dir, terminal }: Cli, name: string): Promise<Template> {
  const loops = await loadLoops(dir);
  const trusted = trustedLoops(loops);
  const left = Object.keys(loops).filter((loop) => !Object.hasOwn(trusted, loop));
  if (left.length > 0)
    terminal.warn(`loopwright: ${dir} is not trusted, so these loops were not asked: ${left.join(", ")} (--trust)`);
  for (const { package: found } of await loadPackages(trusted))
    if (Object.hasOwn(found.templates, name)) return found.templates[name]!;
  if (Object.hasOwn(defaultLoops(), name))
    throw usage(
      `the loop '${name}' comes along with Loopwright and needs no project: \`loopwright ${name} --help\`. Choose another name for a loop of your own`,
    );
  const near = nearest(name, Object.keys(defaultLoops()));
  if (near !== undefined)
    terminal.warn(
      `loopwright: '${name}' becomes a loop of your own; if you meant the one that comes along, it is '${near}'`,
    );
  return { summary: "a small loop", files: () => ownFiles(name), next: [`loopwright run ${name}`] };
}

/** A file of a project with a loop of one's own, and where its text comes from. */
const sources = {
  "loopwright.yaml": "loopwright.yaml",
  "loops/tidy.ts": "loops/tidy.ts",
  "README.md": "README.md",
  "package.json": "package.template.json",
  "tsconfig.json": "tsconfig.template.json",
  ".gitignore": "gitignore.template",
};

async function ownFiles(name: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [file, source] of Object.entries(sources)) {
    const text = await readFile(join(packageRoot, "templates/project", source), "utf8");
    files[file.replace("tidy", name)] = text.replaceAll("tidy", name);
  }
  return { ...files, "package.json": withDependencies(files["package.json"]!) };
}

/** A package.json that installs what a loop is checked against; it runs without. */
function withDependencies(text: string): string {
  const { devDependencies, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const { zod } = readJson<{ dependencies: Record<string, string> }>(join(packageRoot, "package.json")).dependencies;
  return `${JSON.stringify({ ...rest, dependencies: { ...packageSpecs(), zod }, devDependencies }, null, 2)}\n`;
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    try {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text, { flag: "wx" });
    } catch (error) {
      throw usage(`${join(folder, file)} could not be written (${(error as NodeJS.ErrnoException).code})`);
    }
  }
}

/** What a package.json says of each package of ours, for they are on no registry yet: the tarball that it was installed from, or that a
 * clone packs with `npm run pack`. */
function packageSpecs(): Record<string, string> {
  const modules = dirname(packageRoot);
  const lockFile = join(modules, ".package-lock.json");
  if (existsSync(lockFile)) {
    const { packages } = readJson<{ packages: Record<string, { version: string; resolved?: string }> }>(lockFile);
    const own = Object.entries(packages).filter(([path]) => /^node_modules\/(?:loopwright$|@loopwright\/)/.test(path));
    const specs = own.map(([path, { version, resolved = "" }]) => {
      const file = resolved.startsWith("file:") ? `file:${resolve(modules, "..", resolved.slice(5))}` : version;
      return [path.slice("node_modules/".length), file];
    });
    return Object.fromEntries(specs);
  }
  const manifests = globSync("packages/*/package.json", { cwd: dirname(modules) }).sort();
  const specs = manifests.map((path) => {
    const { name, version } = readJson<{ name: string; version: string }>(join(dirname(modules), path));
    const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
    return [name, `file:${join(dirname(modules), "packed", file)}`];
  });
  return Object.fromEntries(specs);
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8"));
}

// Source packages of Debian and their series of patches, by apt and a list of sources of our own. It needs a Debian with a network.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const KEYS = "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n";

const call = promisify(execFile);

export interface Apt {
  options: string[];
  lists: string;
}

/** A list of Debian's sources of our own: nothing of the machine's is changed. */
export async function openApt(place: string): Promise<Apt> {
  const [lists, cache, parts] = [join(place, "lists"), join(place, "cache"), join(place, "parts")];
  for (const folder of [join(lists, "partial"), join(cache, "archives/partial"), parts])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(parts, "debian.sources"), (await sourcesOf()) + KEYS);
  const settings = { "Dir::Etc::SourceList": "/dev/null", "Dir::Etc::SourceParts": parts, "Dir::State::Lists": lists };
  const all = { ...settings, "Dir::Cache": cache, "APT::Sandbox::User": "root" };
  const options = Object.entries(all).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  await call("apt-get", [...options, "update"]);
  return { options, lists };
}

/** Where this machine has its packages from, there are their sources too. */
async function sourcesOf(): Promise<string> {
  const format = "$(CREATED_BY) $(ORIGIN) $(LABEL) $(COMPONENT) $(REPO_URI) $(RELEASE)";
  const { stdout } = await call("apt-get", ["indextargets", "--format", format]);
  const [, address, release] = /^Packages Debian Debian main (\S+) (\w+)$/m.exec(stdout) ?? [];
  if (address === undefined) throw new Error("apt knows no release of Debian's: run apt-get update first");
  return `Types: deb-src\nURIs: ${address}\nSuites: ${release}\nComponents: main\n`;
}

/** Brings the archives of a source package into a folder. */
export async function fetchSource({ options }: Apt, name: string, folder: string, more: string[] = []): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await call("apt-get", [...options, "source", "--download-only", ...more, "--only-source", name], { cwd: folder });
}

/** Unpacks `debian/` beside the archives. */
export async function unpackPatches(folder: string): Promise<void> {
  const archive = readdirSync(folder).find((file) => /\.debian\.tar\.\w+$/.test(file));
  if (archive === undefined) throw new Error(`${folder} has no archive of patches`);
  await call("tar", ["-xf", archive], { cwd: folder });
}

/** Unpacks the program as it came, before any patch; parts that have archives of their own are left out. */
export async function unpackOriginal(folder: string, into: string): Promise<void> {
  const archive = readdirSync(folder).find((file) => /\.orig\.tar\.\w+$/.test(file));
  if (archive === undefined) throw new Error(`${folder} has no archive of the program`);
  mkdirSync(into, { recursive: true });
  await call("tar", ["-xf", join(folder, archive), "-C", into, "--strip-components=1"]);
}

export interface SeriesPatch {
  name: string;
  text: string;
}

/** The patches of `debian/patches`, in the order of their series. */
export function readSeries(folder: string): SeriesPatch[] {
  const lines = readFileSync(join(folder, "series"), "utf8").split("\n");
  const names = lines.filter((line) => /^[^#\s]/.test(line)).map((line) => line.trim().split(/\s+/)[0]!);
  return names
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

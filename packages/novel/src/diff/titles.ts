// Where changed lines stand in a text: under one of its headings, in a scene, or at a paragraph.

const HEADING = /^#{1,6}[ \t]+(.*?)[ \t]*#*$/;
const SCENE_BREAK = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|#|⁂|§)[ \t]*$/;

/** The share of a text, at its beginning and at its end, that is called so. */
const EDGE = 0.15;

interface LinePlace {
  /** The heading above it, the text's own title not counted; empty where there is none. */
  heading: string;
  scene: number;
  /** The paragraph of the whole text, and of its scene, that it is in or comes before. */
  paragraph: number;
  inScene: number;
}

/** Says where the lines from one index up to another stand. */
export function placesIn(lines: readonly string[]): (from: number, to: number) => string {
  const places = linePlaces(lines);
  const hasScenes = lines.some((line) => SCENE_BREAK.test(line));
  const hasHeadings = places.at(-1)?.heading !== "";
  const count = lines.filter((line, at) => isText(line) && !isText(lines[at - 1])).length;
  return (from, to) => {
    const [first, last] = [places[from]!, places[Math.max(from, to - 1)]!];
    const { heading, scene } = first;
    if (heading !== "") return scene === 1 ? heading : `${heading}, Scene ${scene}`;
    if (to - 1 <= titleAt(lines)) return "Title";
    if (hasScenes)
      return `${scene === 1 ? "Opening Scene" : `Scene ${scene}`}, ${paragraphs(first.inScene, last.inScene)}`;
    if (hasHeadings) return "Opening";
    if (count > 1 && first.paragraph === 1 && last.paragraph === count) return "Whole text";
    return `${partOf(first.paragraph, count)}, ${paragraphs(first.paragraph, last.paragraph)} of ${count}`;
  };
}

/** Whether a line parts a text into sections, so that changes on both of its sides are not one. */
export function isBoundary(line: string): boolean {
  return SCENE_BREAK.test(line) || HEADING.test(line);
}

function isText(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== "" && !isBoundary(line);
}

function linePlaces(lines: readonly string[]): LinePlace[] {
  const title = titleAt(lines);
  let [heading, scene, paragraph, inScene] = ["", 1, 0, 0];
  return lines.map((line, at) => {
    const found = HEADING.exec(line)?.[1];
    if (SCENE_BREAK.test(line)) [scene, inScene] = [scene + 1, 0];
    else if (found !== undefined && at !== title) [heading, scene, inScene] = [found, 1, 0];
    else if (isText(line) && !isText(lines[at - 1])) [paragraph, inScene] = [paragraph + 1, inScene + 1];
    return { heading, scene, paragraph: Math.max(1, paragraph), inScene: Math.max(1, inScene) };
  });
}

/** The line of the text's own title: a heading before anything else; -1 where it has none. */
function titleAt(lines: readonly string[]): number {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first >= 0 && HEADING.test(lines[first]!) ? first : -1;
}

function paragraphs(first: number, last: number): string {
  return last > first ? `paragraphs ${first}-${last}` : `paragraph ${first}`;
}

function partOf(paragraph: number, count: number): string {
  const share = count === 1 ? 0 : (paragraph - 1) / (count - 1);
  return share <= EDGE ? "Opening" : share >= 1 - EDGE ? "Ending" : "Middle";
}

// The headings that changed lines stand under: those of the text, its scenes, or the keys of a JSON file.

const HEADING = /^#{1,6}[ \t]+(.*?)[ \t]*#*$/;
const SCENE_BREAK = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|#|⁂|§)[ \t]*$/;
const JSON_KEY = /^ {2}"([^"]+)":/;

/** A title for each line of a text. */
export function titlesOf(lines: readonly string[]): string[] {
  if (lines[0]?.trim() === "{") return keyTitles(lines);
  const hasHeadings = lines.some((line, at) => at > 0 && HEADING.test(line));
  const opening = hasHeadings && !lines.some((line) => SCENE_BREAK.test(line)) ? "Opening" : "Opening Scene";
  let [heading, scene] = ["", 1];
  return lines.map((line, at) => {
    const found = HEADING.exec(line)?.[1];
    if (SCENE_BREAK.test(line)) scene += 1;
    else if (found !== undefined && at > 0) [heading, scene] = [found, 1];
    if (heading !== "") return scene === 1 ? heading : `${heading}, Scene ${scene}`;
    return scene === 1 ? opening : `Scene ${scene}`;
  });
}

/** Whether a line parts a text into sections, so that changes on both of its sides are not one. */
export function isBoundary(line: string): boolean {
  return SCENE_BREAK.test(line) || HEADING.test(line);
}

function keyTitles(lines: readonly string[]): string[] {
  let title = "Opening";
  return lines.map((line) => {
    const key = JSON_KEY.exec(line)?.[1];
    if (key) title = key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ");
    return title;
  });
}

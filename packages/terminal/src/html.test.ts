import { describe, expect, it } from "vitest";
import { hostileTexts } from "../../../test/fakes/hostile-run.ts";
import { cutText, cutWords, escapeText, html, htmlPage, Markup, pathToHref } from "./html.ts";

describe("escaping", () => {
  it("leaves none of the signs that mean something in HTML, whatever the text", () => {
    for (const text of hostileTexts) expect(escapeText(text)).not.toMatch(/[<>"'`]/);
    expect(escapeText(`<a href="x" b='y'>&\``)).toBe("&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&#96;");
  });

  it("escapes what looks escaped already, so that it is shown as it was written", () => {
    expect(escapeText("&lt;b&gt;")).toBe("&amp;lt;b&amp;gt;");
  });

  it("makes visible what no one would see, and keeps lines and tabs", () => {
    expect(escapeText("a\0b\u001b[1m\u007f\u0085\r")).toBe("a␀b␛[1m␡\ufffd␍");
    expect(escapeText("a\n\tb")).toBe("a\n\tb");
  });

  it("names the signs that turn the direction of what follows", () => {
    expect(escapeText("\u202egpj.exe\u2066\u200f")).toBe("[U+202E]gpj.exe[U+2066][U+200F]");
  });

  it("fixes half pairs and keeps whole ones", () => {
    expect(escapeText("\ud83d and 🙂 漢字")).toBe("\ufffd and 🙂 漢字");
  });
});

describe("a template", () => {
  it("escapes its parts, in elements and in attributes", () => {
    expect(html`<p title="${'" onclick="x'}">${"<b>"}</p>`.text).toBe(
      '<p title="&quot; onclick=&quot;x">&lt;b&gt;</p>',
    );
  });

  it("takes markup, lists and numbers as they are, and nothing for nothing", () => {
    expect(html`${new Markup("<i>")}${["<", html`<b>`, [1, "&"]]}${undefined}${false}${0}`.text).toBe(
      "<i>&lt;<b>1&amp;0",
    );
  });

  it("is itself text where one is needed", () => {
    expect(`${html`<b>${"x"}</b>`}`).toBe("<b>x</b>");
  });
});

describe("a page", () => {
  it("has its title escaped, its body as it is, and a policy under which nothing runs or is fetched", () => {
    const page = htmlPage({ title: "</title><script>", style: "b { color: red }", body: html`<b>${"<"}</b>` });
    expect(page).toContain("<title>&lt;/title&gt;&lt;script&gt;</title>\n<style>b { color: red }</style>");
    expect(page).toContain("<main>\n<b>&lt;</b>\n</main>");
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; img-src data:;/);
  });
});

describe("cutting", () => {
  it("leaves a short text as it is and counts what it cuts from a long one", () => {
    expect(cutText("abc", 3)).toBe("abc");
    expect(cutText("abcdef", 4)).toBe("abcd… (2 more characters)");
  });

  it("never leaves half a sign", () => {
    expect(cutText("ab🙂cd", 3)).toBe("ab… (3 more characters)");
  });
});

describe("words", () => {
  it("lose their colors, and what else moves a terminal, before they are cut", () => {
    expect(cutWords("\u001b[31mred\u001b[0m and \u001b]0;title\u0007plain", 20)).toBe("red and plain");
    expect(cutWords("\u001b[31mred\u001b[0m", 2)).toBe("re… (1 more characters)");
  });
});

describe("an address", () => {
  it("keeps the folders and escapes everything else", () => {
    expect(pathToHref('attempt-000/a b#?%"<>.png')).toBe("attempt-000/a%20b%23%3F%25%22%3C%3E.png");
    expect(pathToHref("javascript:alert(1)")).toBe("javascript%3Aalert(1)");
    expect(pathToHref("\ud800.png")).toBe("%EF%BF%BD.png");
  });

  it("is refused where it could lead out of the folder or to another host", () => {
    for (const path of ["../secret", "a/../../b", "/etc/passwd", "//host/x", "./x", "", "a//b"]) {
      expect(pathToHref(path)).toBeUndefined();
    }
  });
});

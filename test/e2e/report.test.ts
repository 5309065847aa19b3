// The report in a real browser: what a reader sees, on a phone and on a desk, in light and in dark, with no script.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReportSource, writeReport } from "../../packages/loopwright/src/report/index.ts";
import { chromiumPath, launchBrowser } from "../fakes/browser.ts";
import { hostileRun, hostileTexts, OWNED } from "../fakes/hostile-run.ts";
import { boatRun, ceilingRun, failedRun, longRun, svgRun, waitingRun } from "../fakes/report-runs.ts";

const runs: Record<string, () => Promise<ReportSource>> = {
  done: boatRun,
  ceiling: ceilingRun,
  waiting: waitingRun,
  failed: failedRun,
  long: () => longRun(5_000),
  hostile: hostileRun,
  result: svgRun,
};

const screens = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

/** The lowest contrast of any text on the page against what stands behind it, and the text that has it. */
const lowestContrast = `(() => {
  const rgb = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => rgb(color).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if ((rgb(color)[3] ?? 1) === 1) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  let least = { ratio: 99, text: "" };
  let count = 0;
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim();
    if (text === "" || element.closest("title")) continue;
    const own = getComputedStyle(element);
    const [a, b] = [light(element.closest("svg") ? own.fill : own.color), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    count += 1;
    if (ratio < least.ratio) least = { ratio, text: text.slice(0, 40) };
  }
  return { ...least, count };
})()`;

describe.skipIf(chromiumPath === undefined)("the report in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-report-"));
  const pages = new Map<string, string>();
  const opened = new Map<string, Page>();
  let browser: Browser;
  let shared: BrowserContext;

  beforeAll(async () => {
    for (const [name, make] of Object.entries(runs)) pages.set(name, await writeReport(await make()));
    browser = await launchBrowser();
    shared = await browser.newContext();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Looks at the page of a run, which is opened once. */
  async function onPage<T>(name: string, look: (page: Page) => Promise<T>): Promise<T> {
    const page = opened.get(name) ?? (await shared.newPage());
    if (!opened.has(name)) await page.setContent(pages.get(name)!);
    opened.set(name, page);
    return look(page);
  }

  /** Opens a page as a file, and writes down everything that it asks for. */
  async function withPage<T>(
    html: string,
    options: BrowserContextOptions,
    look: (page: Page, requests: string[]) => Promise<T>,
  ): Promise<T> {
    const file = join(folder, "report.html");
    writeFileSync(file, html);
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      page.on("dialog", (dialog) => void dialog.dismiss());
      await page.goto(pathToFileURL(file).href);
      return await look(page, requests);
    } finally {
      await context.close();
    }
  }

  it.each(Object.keys(runs))(
    "shows the %s run without sideways scrolling and in readable colors everywhere",
    async (name) => {
      await onPage(name, async (page) => {
        await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
        for (const viewport of screens) {
          for (const colorScheme of ["light", "dark"] as const) {
            const view = `${viewport.width} pixels, ${colorScheme}`;
            await page.setViewportSize(viewport);
            await page.emulateMedia({ colorScheme });
            expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBeLessThanOrEqual(
              viewport.width,
            );
            const least = (await page.evaluate(lowestContrast)) as { ratio: number; text: string; count: number };
            expect(least.count).toBeGreaterThan(40);
            expect(least.ratio, `${view}: the text '${least.text}'`).toBeGreaterThanOrEqual(4.5);
          }
        }
      });
    },
  );

  it("is dark for those who have it dark, and light for the others", async () => {
    const background = (colorScheme: "light" | "dark") =>
      onPage("done", async (page) => {
        await page.emulateMedia({ colorScheme });
        return page.evaluate("getComputedStyle(document.body).backgroundColor");
      });
    expect([await background("light"), await background("dark")]).toEqual(["rgb(251, 251, 250)", "rgb(21, 23, 26)"]);
  });

  it("shows everything where no script may run", async () => {
    await withPage(pages.get("done")!, { javaScriptEnabled: false }, async (page) => {
      const text = await page.locator("main").evaluate((main) => main.textContent ?? "");
      const words = ["done", "What to type next", "loopwright verify", "best 0.939", "Ceilings", "Time by phase"];
      for (const word of [...words, "Iteration 6", "PROPORTION_BEAM", "final.glb", "fast retry"])
        expect(text).toContain(word);
      await page.locator("summary.head", { hasText: "Iteration 2" }).click();
      const diff = page.locator("#i2 details", { hasText: "code.py" });
      expect(await diff.locator("ins").first().isVisible()).toBe(false);
      await diff.locator("summary").click();
      expect(await diff.locator("ins").first().isVisible()).toBe(true);
      expect(await diff.locator("del").allInnerTexts()).toContain("-beam = 1.42\n");
    });
  });

  it("decodes every picture that it holds, and asks the network for nothing", async () => {
    await withPage(pages.get("done")!, {}, async (page, requests) => {
      const widths = (await page.evaluate(
        "Promise.all([...document.images].map((image) => image.decode().then(() => image.naturalWidth)))",
      )) as number[];
      expect(widths).toEqual(Array.from({ length: 15 }, () => 160));
      expect(requests.filter((url) => !url.startsWith("data:"))).toHaveLength(1);
    });
  });

  it("has one first heading, and none that skips a level", async () => {
    for (const name of pages.keys()) {
      await onPage(name, async (page) => {
        const headings = (await page.evaluate(
          "[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => h.tagName)",
        )) as string[];
        expect(headings[0], name).toBe("H1");
        expect(headings.filter((tag) => tag === "H1")).toHaveLength(1);
        for (const [index, tag] of headings.entries()) {
          expect(Number(tag[1]) - Number(headings[index - 1]?.[1] ?? 1), name).toBeLessThanOrEqual(1);
        }
        expect(await page.locator("table th:not([scope])").count()).toBe(0);
        expect(await page.locator("img:not([alt])").count()).toBe(0);
      });
    }
  });

  it.each(["done", "waiting", "result"])(
    "shows the result of the %s run without scrolling, on a phone and on a desk",
    async (name) => {
      await onPage(name, async (page) => {
        for (const viewport of screens) {
          await page.setViewportSize(viewport);
          const box = await page.locator(".result img, .result pre").first().boundingBox();
          expect(box!.y + Math.min(box!.height, 160), `${viewport.width}`).toBeLessThan(viewport.height);
          expect(box!.height).toBeGreaterThan(40);
        }
      });
    },
  );

  it("has iterations folded, but the best and the last, and a link unfolds what it leads to", async () => {
    await withPage(pages.get("ceiling")!, {}, async (page) => {
      const open = () => page.locator("details.iteration[open] h3").allInnerTexts();
      const before = await open();
      expect(before.length).toBeLessThan(3);
      expect(before).toContain("Iteration 4");
      await page.evaluate("location.hash = '#i2'");
      await expect.poll(open).toContain("Iteration 2");
      expect(await page.locator("#i2").isVisible()).toBe(true);
    });
  });

  it("shows an SVG as a picture that runs and fetches nothing", async () => {
    await withPage(pages.get("result")!, {}, async (page, requests) => {
      const widths = await page.evaluate(
        "Promise.all([...document.images].map((image) => image.decode().then(() => image.naturalWidth)))",
      );
      expect(widths).toEqual([120]);
      expect(await page.title()).not.toContain(OWNED);
      expect(requests.filter((url) => !url.startsWith("data:"))).toHaveLength(1);
    });
  });

  it("is opened in a moment at 5,000 iterations", async () => {
    await withPage(pages.get("long")!, {}, async (page) => {
      const took = (await page.evaluate("performance.getEntriesByType('navigation')[0].domComplete")) as number;
      expect(took).toBeLessThan(10_000);
      expect(pages.get("long")!.length).toBeLessThan(3_000_000);
      // What is folded takes no room: a reader is at the end soon.
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(12_000);
    });
  });

  it("tells a screen reader what the curve shows", async () => {
    await onPage("done", async (page) => {
      const curve = page.getByRole("img", { name: /^Score curve: from 0\.410 at the start to 0\.939 in iteration 6/ });
      expect(await curve.count()).toBe(1);
    });
  });

  it("names the score that passes where no curve can run through it, on a phone too", async () => {
    const source = await longRun(20);
    const html = await writeReport({ ...source, passesAt: () => 0.95 });
    await withPage(html, { viewport: { width: 390, height: 900 } }, async (page) => {
      const [curve, name] = [
        page.locator("svg.curve"),
        page.locator(".chart").getByText("passes at 0.950", { exact: true }),
      ];
      const [plot, words] = [(await curve.boundingBox())!, (await name.boundingBox())!];
      expect(words.y).toBeGreaterThan(plot.y + plot.height);
    });
  });

  it("leads from the curve and the links below it to the iteration, opened or in short", async () => {
    for (const name of ["done", "long", "hostile"]) {
      await onPage(name, async (page) => {
        const missing = await page.evaluate(
          "[...document.querySelectorAll('a[href^=\"#\"]')].filter((a) => !document.getElementById(a.getAttribute('href').slice(1))).length",
        );
        expect(missing).toBe(0);
        expect(await page.locator("a[href^='#i']").count()).toBeGreaterThan(1);
      });
    }
  });

  it("shows the middle of a long run as one line each", async () => {
    await onPage("long", async (page) => {
      expect(await page.locator("article").count()).toBe(35);
      expect(await page.locator("details table tbody tr").count()).toBe(4_965);
      expect(await page.locator("#i2500").textContent()).toContain("only at 2500 of 5000 meters");
    });
  });

  it.each([
    ["with its policy", (html: string) => html],
    ["even without its policy", (html: string) => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")],
  ])("runs nothing and asks for nothing that a hostile run says, %s", async (_, change) => {
    const html = change(pages.get("hostile")!);
    await withPage(html, {}, async (page, requests) => {
      await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
      for (const element of await page.locator("#i1 li").all()) await element.hover({ force: true, timeout: 1_000 });
      await page.waitForTimeout(200);
      expect(await page.title()).toMatch(/ – hostile, waiting$/);
      expect(await page.title()).not.toContain(OWNED);
      expect(requests.filter((url) => !url.startsWith("data:") && !url.startsWith("file:"))).toEqual([]);
      expect(requests.filter((url) => url.startsWith("file:"))).toHaveLength(1);
      expect(
        await page.locator("script, iframe, object, embed, form, base, body style, body link, body meta").count(),
      ).toBe(0);
      const handlers = await page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((name) => name.startsWith('on')).length",
      );
      expect(handlers).toBe(0);
      const addresses = (await page.evaluate(
        "[...document.querySelectorAll('[href], [src]')].map((e) => e.getAttribute('href') ?? e.getAttribute('src'))",
      )) as string[];
      expect(addresses.length).toBeGreaterThan(20);
      expect(addresses.filter((address) => /\.(html|svg)$/.test(address))).toEqual([]);
      for (const address of addresses)
        expect(address).toMatch(/^(attempt-000\/|#|data:(,|image\/(png|gif|svg\+xml);))/);
      expect(await page.locator("footer").isVisible()).toBe(true);
    });
  });

  it("shows hostile text as the text that it is", async () => {
    await withPage(pages.get("hostile")!, { javaScriptEnabled: false }, async (page) => {
      const messages = await page.locator("#i2 .findings code").allTextContents();
      for (const text of hostileTexts.slice(0, 8)) expect(messages).toContain(text);
      expect(messages.join("\n")).toContain("␀␇␛[31mred\ufffd and [U+202E]turned round[U+202C]");
      const names = await page.locator("#i2 summary").allTextContents();
      expect(names.join("\n")).toContain("<script>document.title='owned'<script>-0.txt");
      const pictures = await page.locator(".result img, #i2 img").all();
      const shown = await Promise.all(pictures.map((picture) => picture.getAttribute("alt")));
      const diffs = await page.locator("#i2 pre").allTextContents();
      expect(diffs.join("\n")).toContain(`</style><style>body{display:none`);
      expect(shown).toEqual([`"onerror="document.title='owned'".png`, "picture.svg", "not-a-picture.png", "half.gif"]);
    });
  });
});

import { parseObject, codeBlock } from "/work/main/src/models/parse.ts";
import { z } from "zod";
const s = z.object({ a: z.number(), b: z.string().optional() });
for (const t of [`{"a":1}`, `Sure: {a: 1, 'b': 'it's',} ok`, `I cannot do that`, `<think>{"a":2}</think>{"a":1}`, `{"a": 1`, `{"a":"x"}`, "```json\n{\"a\":1,}\n```", `{"a":1} or {"a":2}`, `use {x} or [1]: {"a":1}`, `{"a":1,"a":2}`, `{"a":NaN}`, `[1,2`,"{".repeat(10), `{"a":1,"b":"x "y" z"}`, `{"__proto__":{"x":1},"a":1}`])
 try { console.log(t, "=>", JSON.stringify(parseObject(t, s))) } catch (e: any) { console.log(t, "!!", e.code, e.message) }
const time = (n: string, t: string) => { const q = performance.now(); let r; try { r = JSON.stringify(parseObject(t, z.any())).length } catch (e: any) { r = e.code + " " + e.message.slice(0, 80) } console.log(n, t.length, r, Math.round(performance.now() - q) + "ms") };
const item = `{'a': 'hello world', b: [1,2,3,], "c": "x\ny"},`;
const k = 5e6;
time("items", "[" + item.repeat(k / item.length) + "]");
for (const [n,t] of Object.entries({unesc:`{"a": "` + `he "said" yes, `.repeat(k/15) + `"}`, words:"{" + "foo bar ".repeat(k/8) + "}", deep: "[".repeat(k/2)+"]".repeat(k/2), ws:"[" + " ".repeat(k) + "1 2]", openq: "["+`"a `.repeat(k/3)+"]", cm:"["+`/* a */`.repeat(k/7)+"1]", cm2: "[/*".repeat(k/3), cm3: "[//".repeat(k/3), obj:"{".repeat(k), esc:`{"a":"`+`\\"`.repeat(k/2)+"}", think: "<think>{}</think>".repeat(k/17), fences: "```json\n{}\n".repeat(k/11), fq:"[a,".repeat(k/3), nest: `[1,`.repeat(k/3), bare: "{a:".repeat(k/3), thinkf: "<think>\n```\n</think>\n".repeat(99)+"```\n".repeat(k/4), quotes: `["`.repeat(k/2), sp: `[" `.repeat(k/3), longprose: `[1, x `.repeat(k/6) })) time(n, t);

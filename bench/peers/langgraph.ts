// The workload on LangGraph with its SQLite saver. One message is one run; the answer is the time of each iteration.
//
// Draft, log and critique are channels that replace, history is one that appends. "full" sets the saver's database to
// synchronous=FULL and waits for each checkpoint before the next step, which is what Loopwright promises; "as-shipped"
// leaves both as they come.

import { join } from "node:path";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { proseWriter } from "../engine/prose.ts";
import { TASK_SIZE, type Texts, textsOf } from "../engine/texts.ts";

type Durability = "full" | "as-shipped";

const State = Annotation.Root({
  task: Annotation<string>,
  draft: Annotation<string>,
  log: Annotation<string>,
  critique: Annotation<string>,
  score: Annotation<number>,
  history: Annotation<string[]>({ reducer: (list, added) => list.concat(added), default: () => [] }),
});

const feed: { texts: Texts[]; iteration: number; marks: number[] } = { texts: [], iteration: 0, marks: [] };
const next = () => feed.texts[feed.iteration - 1]!;

/** The three nodes, compiled with a saver on a file of this folder. */
function compile(durability: Durability) {
  const saver = SqliteSaver.fromConnString(join(process.argv[2]!, `langgraph-${durability}.db`));
  if (durability === "full") saver.db.pragma("synchronous = FULL");
  return new StateGraph(State)
    .addNode("generate", () => {
      feed.iteration += 1;
      feed.marks.push(performance.now());
      return { draft: next().draft };
    })
    .addNode("execute", () => ({ log: next().log }))
    .addNode("evaluate", () => ({ critique: next().critique, score: 0.5, history: [next().line] }))
    .addEdge(START, "generate")
    .addEdge("generate", "execute")
    .addEdge("execute", "evaluate")
    .addConditionalEdges("evaluate", () => (feed.iteration < feed.texts.length ? "generate" : END))
    .compile({ checkpointer: saver });
}

const graphs = { full: compile("full"), "as-shipped": compile("as-shipped") };
const task = proseWriter("task")(TASK_SIZE);

process.on("message", async ({ durability, seed, count }: { durability: Durability; seed: string; count: number }) => {
  Object.assign(feed, { texts: textsOf(seed, count), iteration: 0, marks: [] });
  const options = { configurable: { thread_id: seed }, recursionLimit: 1_000_000 };
  await graphs[durability].invoke({ task }, durability === "full" ? { ...options, durability: "sync" } : options);
  process.send!({ times: feed.marks.slice(1).map((mark, index) => mark - feed.marks[index]!) });
});
process.on("disconnect", () => process.exit());
process.send!("ready");

// Every trick in turn, for whoever runs this: prints how many got by, and whether right programs do.

import { judgeProgram } from "../judge-trial.ts";
import { stages } from "../judge-tricks.ts";

let [tricks, passed, right] = [0, 0, 0];
for (const stage of stages) {
  if ((await judgeProgram(stage, stage.right)).isDone) right += 1;
  for (const { title, source } of stage.tricks) {
    const { isGreen, isDone, findings, reason } = await judgeProgram(stage, source);
    tricks += 1;
    if (isDone) passed += 1;
    const why = isGreen ? (findings[0]?.code ?? "no finding") : reason;
    console.error(`${isDone ? "GOT BY" : "held"}: ${stage.name}, ${title}: ${why}`);
  }
}
console.log(`${tricks} tricks, ${passed} got by; ${right} of ${stages.length} right programs are done`);

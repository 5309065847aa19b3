// Words of feedback that say nothing about where in a book it belongs.

import { smallWords } from "../manuscript/language/detect.ts";
import { isVague } from "../said/vague.ts";

const fillers = new Set([
  ...smallWords,
  ...(
    "about above across after again against almost along already also although always among another anything around away back because been before " +
    "being below beside between both came come comes could does done down during each either else enough even ever every everyone few first from " +
    "gave give given gets goes gone have having hence here hers herself himself however instead into itself just keep kept last later least less let " +
    "like long made many maybe might mine more most much must near need needs never next nobody none nothing once only other others ours over part " +
    "perhaps place rather said same says seem seems several shall should show shows since some someone sometimes soon still such take taken takes tell " +
    "than them then there these they thing things those though through throughout time together toward towards turn turns under until upon used " +
    "want wants ways well went were what whatever when where whether which while whole whose will with within without would write written your yours " +
    "aber alle allem allen aller alles also anders außer bald beim bereits bis bleibt bleiben dabei dadurch damit danach dann daran darauf darf dass davon dazu " +
    "deren dessen diese diesem diesen dieser dieses doch dort durch eben eher etwas euch fast ganz gegen genau gibt gleich habe haben hatte hier hinter " +
    "ihre ihrem ihren ihrer immer jede jedem jeden jeder jedes kann kein keine keinen klar kommt können lass lassen lässt mach machen manche mehr mein meine mich mir " +
    "möchte müssen nach nicht nichts noch oder ohne schon sehr sein seine seinem seinen seiner seit sich sind soll sollen sollte sondern sonst statt stelle " +
    "szene trotz über unter viel viele vielleicht vom vor wann warum weil weiter welche weniger wenn werden wieder wird wissen wollen worden wurde würde zeigt " +
    "zeit zuerst zwischen " +
    // What stands before a name.
    "mr mrs ms miss dr sir madam lady lord herr frau madame monsieur mademoiselle señor señora signor signora senhor senhora"
  ).split(" "),
]);

/** Whether a word is no hint at any file. */
export function isFiller(word: string): boolean {
  return fillers.has(word.toLowerCase()) || /n['’]t$/i.test(word) || isVague(word);
}

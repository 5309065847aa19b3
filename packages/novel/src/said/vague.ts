// Feedback that says that something shall be better, and not what. Only the plainest cases: a writer who is asked back
// although they were clear is asked once too often.

const vagueWords = new Set(
  (
    "make makes making it this that the a an them all everything whole book novel story text chapter chapters prose treatment premise scene " +
    "draft better best good great nice nicer improve improved improvement improvements fix polish rework rewrite redo revise again please just " +
    "really much very bit a-bit little lot more most some somehow something interesting exciting engaging compelling different differently " +
    "change try work on can could you we should be is of in and do i want feel feels like " +
    "mach mache es das den die der besser schöner verbessern verbessere alles ganze buch kapitel bitte spannender interessanter " +
    "irgendwie irgendwas fehlt fehlen mir da noch was etwas nicht gefällt stimmt passt finde so gut ist kann " +
    "améliore améliorer améliorez mieux meilleur meilleure fais fait rends rendre le la les l texte livre roman histoire chapitre chapitres tout tous c'est c est " +
    "plat ça ne va pas prend marche manque quelque chose plus intéressant intéressante je sais trop s'il te plaît " +
    "mejora mejorar mejóralo mejor haz hazlo texto libro novela historia capítulo capítulos todo algo falta no sé está es más interesante por favor " +
    "il lo la migliora migliorare migliore meglio fallo rendilo testo libro romanzo storia capitolo capitoli tutto manca qualcosa non va è più interessante per favore " +
    "melhora melhorar melhor deixa texto livro história tudo falta algo mais interessante " +
    "beter maak het boek verhaal hoofdstuk tekst verbeter mooier iets ontbreekt " +
    "lepiej popraw lepsze książka tekst rozdział coś brakuje bättre gör boken texten kapitlet förbättra något saknas " +
    "лучше улучши сделай книгу текст главу что-то не так"
  ).split(" "),
);
const MOST_WORDS = 10;

/** Whether an item of feedback names nothing that could be done. */
export function isVague(item: string): boolean {
  const words = item.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  if (words.length === 0 || words.length > MOST_WORDS) return false;
  return words.every((word) => /^\d+$/.test(word) || vagueWords.has(word));
}

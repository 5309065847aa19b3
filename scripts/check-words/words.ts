// What is written instead of what. A word counts wherever it stands: in a sentence, and as a part of a name, as in `mendAll`,
// `MEND_ALL` and `mend_all`. A phrase counts as it is written.

/** Each word that is not used, and what is said instead. */
export const words: Readonly<Record<string, string>> = {
  ...{ mend: "fix", mends: "fixes", mended: "fixed", mending: "fixing", misfit: "mismatch", misfits: "mismatches" },
  ...{ overhear: "onAnswer", overhears: "onAnswer", overheard: "onAnswer", wish: "request", wishes: "requests" },
  ...{ wished: "asked for", obey: "execute", obeys: "executes", obeyed: "executed", glance: "summary" },
  ...{ glances: "summaries", voice: "output", voices: "outputs", narrator: "renderer", narrators: "renderers" },
  ...{ slip: "bug", slips: "bugs", torn: "truncated" },
  ...american(),
};

/** Each phrase or name of several words that is not used, and what is said instead. */
export const phrases: Readonly<Record<string, string>> = {
  ...{ goOn: "resume", carryOn: "drive", wayOn: "next", said_back: "feedback", saidBack: "feedback" },
  ...{ "[words]": "arguments", "mind at the desk": "a person or an agent answering by hand" },
};

/** British spellings and the American ones. */
function american(): Record<string, string> {
  const stems = {
    ...{ behaviour: "behavior", colour: "color", favour: "favor", flavour: "flavor", harbour: "harbor" },
    ...{ honour: "honor", labour: "labor", neighbour: "neighbor", rumour: "rumor", vapour: "vapor" },
  };
  const verbs = [
    ...["apolog", "author", "capital", "character", "emphas", "final", "general", "initial", "minim", "maxim"],
    ...["memor", "normal", "optim", "organ", "priorit", "random", "raster", "real", "recogn", "serial", "special"],
    ...["summar", "synchron", "token", "visual"],
  ];
  // `cancelled` is an outcome's name, which journals and scripts have.
  const doubled = ["labell", "levell", "modell", "signall", "travell"];
  return {
    ...endings(stems, ["", "s", "ed", "ing"]),
    ...endings(Object.fromEntries(verbs.map((verb) => [`${verb}is`, `${verb}iz`])), ["e", "es", "ed", "er", "ing"]),
    ...endings(Object.fromEntries(doubled.map((verb) => [verb, verb.slice(0, -1)])), ["ed", "ing"]),
    ...{ centre: "center", centres: "centers", centred: "centered", grey: "gray", greys: "grays" },
    ...{ metre: "meter", metres: "meters", millimetre: "millimeter", millimetres: "millimeters" },
    ...{ kilometre: "kilometer", kilometres: "kilometers", fibre: "fiber", litre: "liter", litres: "liters" },
    ...{ analyse: "analyze", analysed: "analyzed", catalogue: "catalog", catalogues: "catalogs" },
    ...{ licence: "license", licences: "licenses", judgement: "judgment", judgements: "judgments" },
    ...{ artefact: "artifact", artefacts: "artifacts", favourite: "favorite", defence: "defense", learnt: "learned" },
  };
}

function endings(stems: Readonly<Record<string, string>>, all: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(stems).flatMap(([british, plain]) =>
      all.map((ending) => [`${british}${ending}`, `${plain}${ending}`]),
    ),
  );
}

import { describe, expect, it } from "vitest";
import { renamedName } from "./renamed.ts";

describe("renamedName", () => {
  it.each([
    ["Rename Marcus to Tobias", "Marcus"],
    ["change the name of Anna Weiss to Berta", "Anna Weiss"],
    ["Change Mara's name to Ada", "Mara"],
    ["The captain should be called Nora instead of Mara", "Mara"],
    ["Mara should be called Nora", "Mara"],
    ["She is to be called Nora, not Mara", "Mara"],
    ["Call Mara Nora from now on", "Mara"],
    ["Mara heißt jetzt Nora", "Mara"],
    ["Mara soll künftig Nora heißen", "Mara"],
    ["Nenne Mara in Nora um", "Mara"],
    ["benenne „Mara“ in „Nora“ um", "Mara"],
    ["Die Wärterin soll Nora heißen statt Mara", "Mara"],
    ["Mara wird in Nora umbenannt", "Mara"],
    ["In chapter 6, call Captain Hunt Captain Vane instead.", "Captain Hunt"],
    ["Renomme Yann en Erwan.", "Yann"],
    ["renommer Yann en Erwan", "Yann"],
    ["Renombra a Mara como Nora", "Mara"],
    ["Rinomina Mara in Nora", "Mara"],
  ])("finds the name that goes: '%s'", (item, name) => {
    expect(renamedName([item])).toBe(name);
  });

  it.each([
    "Change Mara to be braver",
    "She should be called Nora",
    "The Captain should be called Nora",
    "Call Mara brave from now on",
    "Mara should be called to dinner",
    "Wie heißt Mara jetzt?",
    "Nenne Mara öfter beim Namen",
  ])("finds none in '%s'", (item) => expect(renamedName([item])).toBeUndefined());
});

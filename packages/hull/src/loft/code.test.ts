import { ExecutionError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import {
  applyCode,
  middleHull,
  parameters,
  parametersToCode,
  parametersToPoint,
  pointToParameters,
} from "./parameters.ts";

function errorOf(code: string): ExecutionError {
  try {
    applyCode(middleHull, code);
  } catch (error) {
    if (error instanceof ExecutionError) return error;
  }
  throw new Error(`the code was taken: ${code}`);
}

describe("the loft's code", () => {
  it("sets the parameters that it names, and leaves the others as they are", () => {
    const hull = applyCode(middleHull, '{ "length": 9.5, "beam": 2.25 }');
    expect(hull).toEqual({ ...middleHull, length: 9.5, beam: 2.25 });
  });

  it("may name nothing", () => {
    expect(applyCode(middleHull, "{}")).toEqual(middleHull);
  });

  it("says every hull in full, and nothing is lost on the way", () => {
    const hull = pointToParameters(parameters.map((_, index) => ((index * 7) % 11) / 11));
    const code = parametersToCode(hull);
    expect(applyCode(middleHull, code)).toEqual(hull);
    expect(Object.keys(JSON.parse(code))).toEqual(parameters.map(({ name }) => name));
    expect(pointToParameters(parametersToPoint(hull))).toEqual(hull);
  });

  it("is refused with the nearest right name where a parameter is not known", () => {
    const error = errorOf('{ "lenght": 9 }');
    expect(error).toMatchObject({ code: "PARAMETER_UNKNOWN" });
    expect(error.message).toBe("there is no parameter 'lenght'; did you mean 'length'?");
    expect(errorOf('{ "sheerbow": 1 }').message).toContain("'sheer_bow'");
    expect(errorOf('{ "__proto__": 1 }').message).toContain("there is no parameter '__proto__'");
  });

  it.each([
    ['{ "beam": 99 }', "PARAMETER_RANGE", "the parameter 'beam' is 99, and its range is 1.2 to 6 (m)"],
    ['{ "beam": -1 }', "PARAMETER_RANGE", "the parameter 'beam' is -1, and its range is 1.2 to 6 (m)"],
    ['{ "beam": "3" }', "PARAMETER_NO_NUMBER", `the parameter 'beam' must be a number from 1.2 to 6 (m), not "3"`],
    ['{ "beam": null }', "PARAMETER_NO_NUMBER", "the parameter 'beam' must be a number from 1.2 to 6 (m), not null"],
    ['{ "beam": 1e999 }', "PARAMETER_NO_NUMBER", "the parameter 'beam' must be a number from 1.2 to 6 (m), not null"],
  ])("is refused with the parameter and its range: %s", (text, code, message) => {
    expect(errorOf(text)).toMatchObject({ code, message });
  });

  it.each(["", "length = 3", "{ length: 3 }"])("is refused where it is not JSON: '%s'", (text) => {
    expect(errorOf(text)).toMatchObject({ code: "CODE_NOT_JSON" });
  });

  it.each(["[1, 2]", "7", "null", '"length"'])("is refused where it holds no parameters: %s", (text) => {
    expect(errorOf(text)).toMatchObject({ code: "CODE_NOT_PARAMETERS" });
  });
});

import type { z } from "zod";
import type { Json } from "../core/json.ts";
/** The places where a value does not fit, one line each. */
export declare function describeMisfit(value: Json, error: z.ZodError): string;

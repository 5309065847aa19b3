// The words that an issue is told in: for help too, so that nothing large is loaded with them.

/** How an issue can stand. */
export const statuses = ["open", "in_progress", "blocked", "escalated", "closed"] as const;
/** How an issue stands. */
export type Status = (typeof statuses)[number];

/** P0 is the most urgent. */
export const priorities = ["P0", "P1", "P2", "P3"] as const;
/** How urgent an issue is. */
export type Priority = (typeof priorities)[number];

/** `A blocks B`: B waits for A. `A fix-for B`: A repairs what B asks for. `A parent B`: A is a part of B. Each goes from what
 * must be done first to what must be done after it, so that a circle of any of them could never be worked off. */
export const edgeKinds = ["blocks", "fix-for", "parent"] as const;
/** How one issue hangs on another. */
export type EdgeKind = (typeof edgeKinds)[number];

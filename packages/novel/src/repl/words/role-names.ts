// The roles of the novel loop.

export const roleNames = ["writer", "judge", "summarizer"] as const;
export type RoleName = (typeof roleNames)[number];

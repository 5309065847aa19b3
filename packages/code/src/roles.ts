// Who is asked, and how large a context window each has in tokens where the user says nothing of it.

export const roles = {
  implementer: { context: 16_000 },
  reviewer: { context: 16_000 },
  consultant: { context: 61_440 },
} as const;

export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

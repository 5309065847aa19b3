import { matchesPattern } from './pattern.ts';

export interface Rule {
  effect: 'allow' | 'deny';
  permission: string;
}

export interface Role {
  name: string;
  inherits?: string[];
  rules: Rule[];
}

export class AccessControl {
  private roles = new Map<string, Role>();

  constructor(roles: Role[]) {
    for (const role of roles) this.roles.set(role.name, role);
  }

  private *rulesOf(names: string[], seen = new Set<string>()): Generator<Rule> {
    for (const name of names) {
      const role = this.roles.get(name);
      if (!role || seen.has(name)) continue;
      seen.add(name);
      yield* role.rules;
      yield* this.rulesOf(role.inherits ?? [], seen);
    }
  }

  can(roleNames: string[], permission: string): boolean {
    for (const rule of this.rulesOf(roleNames)) {
      if (matchesPattern(rule.permission, permission)) return rule.effect === 'allow';
    }
    return false;
  }
}

/** "docs:*" matches "docs:read"; "*" alone matches anything. */
export function matchesPattern(pattern: string, value: string): boolean {
  if (pattern === '*') return true;
  const wanted = pattern.split(':');
  const given = value.split(':');
  if (wanted.length !== given.length) return false;
  return wanted.every((part, i) => part === '*' || part === given[i]);
}

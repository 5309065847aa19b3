export interface LogEvent {
  user: string;
  at: number;
  page: string;
}

export interface Session {
  user: string;
  start: number;
  end: number;
  pages: string[];
}

/**
 * Groups page views into sessions per user. A session ends when the user has
 * been idle for more than `maxIdle`. Sessions come in order of their start.
 */
export function sessionize(events: LogEvent[], maxIdle: number): Session[] {
  const ordered = events.sort((a, b) => a.at - b.at);
  const current = new Map<string, Session>();
  const sessions: Session[] = [];

  for (const { user, at, page } of ordered) {
    const session = current.get(user);
    if (session && at - session.start <= maxIdle) {
      session.end = at;
      session.pages.push(page);
      continue;
    }
    const fresh: Session = { user, start: at, end: at, pages: [page] };
    current.set(user, fresh);
    sessions.push(fresh);
  }
  return sessions;
}

export function bounceRate(sessions: Session[]): number {
  if (sessions.length === 0) return 0;
  return sessions.filter((s) => s.pages.length === 1).length / sessions.length;
}

export function averageLength(sessions: Session[]): number {
  if (sessions.length === 0) return 0;
  return sessions.reduce((sum, s) => sum + (s.end - s.start), 0) / sessions.length;
}

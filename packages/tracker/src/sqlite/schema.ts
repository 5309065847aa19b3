// The tables of issues.db, beside the journal. An issue's body is the issue itself without its edges; the columns beside it are
// what is searched by. History is only ever added to, and the database holds to that itself.

export const schema = [
  `CREATE TABLE issues (
     number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT UNIQUE, status TEXT NOT NULL, priority TEXT NOT NULL,
     created INTEGER NOT NULL, claim TEXT, body TEXT NOT NULL);
   CREATE INDEX issues_ready ON issues (status, priority, created, number);
   CREATE INDEX issues_claimed ON issues (claim) WHERE claim IS NOT NULL;
   CREATE TABLE edges (
     source TEXT NOT NULL, target TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (source, target, kind)) WITHOUT ROWID;
   CREATE INDEX edges_back ON edges (target);
   CREATE TABLE history (number INTEGER PRIMARY KEY, issue TEXT NOT NULL, body TEXT NOT NULL);
   CREATE INDEX history_of ON history (issue, number);
   CREATE TRIGGER history_unchanged BEFORE UPDATE ON history BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;
   CREATE TRIGGER history_undeleted BEFORE DELETE ON history BEGIN SELECT RAISE(ABORT, 'history is only added to'); END;`,
];

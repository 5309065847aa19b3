export type State = 'draft' | 'review' | 'approved' | 'published' | 'archived';
export type Action = 'submit' | 'reject' | 'approve' | 'publish' | 'archive';

interface Snapshot {
  state: State;
  notes: string[];
}

const TRANSITIONS: Record<State, Partial<Record<Action, State>>> = {
  draft: { submit: 'review', archive: 'archived' },
  review: { reject: 'draft', approve: 'approved' },
  approved: { reject: 'draft', publish: 'published' },
  published: { archive: 'archived' },
  archived: {},
};

export class DocumentWorkflow {
  state: State = 'draft';
  notes: string[] = [];
  private past: Snapshot[] = [];

  available(): Action[] {
    return Object.keys(TRANSITIONS[this.state]) as Action[];
  }

  apply(action: Action, note?: string): boolean {
    const next = TRANSITIONS[this.state][action];
    if (next === undefined) return false;
    this.past.push({ state: this.state, notes: [...this.notes] });
    this.state = next;
    if (note) this.notes.push(`${action}: ${note}`);
    return true;
  }

  undo(): boolean {
    const previous = this.past.pop();
    if (!previous) return false;
    this.state = previous.state;
    this.notes = previous.notes;
    return true;
  }

  get finished(): boolean {
    return this.available().length === 0;
  }
}

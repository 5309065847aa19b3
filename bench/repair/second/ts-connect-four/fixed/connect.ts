export type Player = "R" | "Y";

const COLUMNS = 7;
const ROWS = 6;
const LINES = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];

export class Game {
  private readonly columns: Player[][] = Array.from({ length: COLUMNS }, () => []);
  turn: Player = "R";
  winner: Player | null = null;

  private at(column: number, row: number): Player | undefined {
    return this.columns[column]?.[row];
  }

  private run(column: number, row: number, dc: number, dr: number): number {
    const player = this.at(column, row);
    let length = 0;
    while (this.at(column + dc, row + dr) === player) {
      column += dc;
      row += dr;
      length++;
    }
    return length;
  }

  private wins(column: number, row: number): boolean {
    return LINES.some(([dc, dr]) => {
      const before = this.run(column, row, -dc, -dr);
      const after = this.run(column, row, dc, dr);
      return before + 1 + after >= 4;
    });
  }

  drop(column: number): this {
    if (this.winner) throw new Error("the game is over");
    const stack = this.columns[column];
    if (!stack || stack.length >= ROWS) throw new Error(`cannot drop in column ${column}`);
    stack.push(this.turn);
    if (this.wins(column, stack.length - 1)) this.winner = this.turn;
    this.turn = this.turn === "R" ? "Y" : "R";
    return this;
  }

  get full(): boolean {
    return this.columns.every((stack) => stack.length === ROWS);
  }
}

export function play(moves: string): Game {
  const game = new Game();
  for (const move of moves) game.drop(Number(move));
  return game;
}

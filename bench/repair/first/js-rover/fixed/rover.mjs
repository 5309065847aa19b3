const HEADINGS = ['N', 'E', 'S', 'W'];
const STEPS = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];

export class Rover {
  constructor({ x = 0, y = 0, heading = 'N', obstacles = [] } = {}) {
    this.x = x;
    this.y = y;
    this.facing = HEADINGS.indexOf(heading);
    this.blocked = new Set(obstacles.map(([ox, oy]) => `${ox},${oy}`));
  }

  get position() {
    return `${this.x} ${this.y} ${HEADINGS[this.facing]}`;
  }

  /** Carries out commands until one is blocked; tells how many were done. */
  run(commands) {
    let done = 0;
    for (const command of commands) {
      switch (command) {
        case 'F':
          if (!this.move(1)) return done;
          break;
        case 'B':
          if (!this.move(-1)) return done;
          break;
        case 'L':
          this.facing = (this.facing + 3) % 4;
          break;
        case 'R':
          this.facing = (this.facing + 1) % 4;
          break;
        default:
          throw new Error(`unknown command ${command}`);
      }
      done++;
    }
    return done;
  }

  move(direction) {
    const [dx, dy] = STEPS[this.facing];
    const x = this.x + dx * direction;
    const y = this.y + dy * direction;
    if (this.blocked.has(`${x},${y}`)) return false;
    this.x = x;
    this.y = y;
    return true;
  }
}

// Speaks the protocol with dungeon-tui. Change strategy.js, not this file.
'use strict';
const { move } = require('./strategy.js');

// A site is [row, col], both from 0. The game shows the sites in plan and safe.
class Board {
  constructor(rows) {
    this.size = rows.length;
    this.tiles = rows.map((row) => [...row.padEnd(2 * this.size)].filter((_, at) => at % 2 === 0));
    this.plan = [];
    this.safe = [];
  }

  isSite([row, col]) {
    return row >= 0 && col >= 0 && row < this.size && col < this.size && this.tiles[row][col] !== ' ';
  }

  isRoom(site) {
    return this.isSite(site) && this.tiles[site[0]][site[1]] !== '+';
  }

  // All legal moves: stay, step up, down, left or right, and diagonally from room to room.
  moves(site) {
    const near = [0, -1, 1].flatMap((down) => [0, -1, 1].map((right) => [site[0] + down, site[1] + right]));
    return near.filter((to) => this.isSite(to)
      && (to[0] === site[0] || to[1] === site[1] || (this.isRoom(site) && this.isRoom(to))));
  }
}

const answer = (...lines) => process.stdout.write(`${lines.join('\n')}\n`);
console.log = console.error; // keep the strategy's output apart from the answers
let board = null;
let rows = [];
let missing = 0; // rows of the board still to read

require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (missing > 0) {
    rows.push(line);
    missing -= 1;
    if (missing === 0) {
      board = new Board(rows);
      answer('ready');
    }
    return;
  }
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === 'protocol') answer('name JavaScript', 'protocol chase 1');
  if (word === 'board') [rows, missing] = [[], Number(rest[0])];
  if (word === 'quit') process.exit();
  if (word !== 'position') return;
  const [monsterRow, monsterCol, rogueRow, rogueCol] = rest.slice(2).map(Number);
  [board.plan, board.safe] = [[], []];
  try {
    const to = move(board, rest[0], [monsterRow, monsterCol], [rogueRow, rogueCol]);
    answer(`info plan ${board.plan.flat().join(' ')}`, `info safe ${board.safe.flat().join(' ')}`, `move ${to.join(' ')}`);
  } catch (error) {
    console.error(error);
    answer(`error threw ${String(error).split('\n')[0]}`);
  }
});

// The talk with dungeon-tui, so that strategy.js need not know of it. Change that file, not this one.
'use strict';
const { move } = require('./strategy.js');

// A site is [row, col], both from 0. What a strategy puts into plan and safe is shown on the screen.
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

  // All legal moves: staying, the neighbours, and diagonally from room to room.
  moves(site) {
    const near = [0, -1, 1].flatMap((down) => [0, -1, 1].map((right) => [site[0] + down, site[1] + right]));
    return near.filter((to) => this.isSite(to)
      && (to[0] === site[0] || to[1] === site[1] || (this.isRoom(site) && this.isRoom(to))));
  }
}

const answer = (...lines) => process.stdout.write(`${lines.join('\n')}\n`);
console.log = console.error; // what a strategy prints is no answer
let board = null;
let rows = [];
let missing = 0; // rows of the board that is being read

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

// Your strategy, for both sides.
'use strict';

// The steps between two sites if there were no walls. Is this a good measure?
const apart = (one, other) => Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]));

// The site to go to; side is 'monster' or 'rogue'.
function move(board, side, monster, rogue) {
  if (side === 'monster') {
    return board.moves(monster).reduce((best, to) => (apart(to, rogue) < apart(best, rogue) ? to : best));
  }
  board.safe = board.moves(rogue).filter((to) => apart(to, monster) > 1);
  return board.moves(rogue).reduce((best, to) => (apart(to, monster) > apart(best, monster) ? to : best));
}

module.exports = { move };

"""The app, with a witness: each move of the present turn is noted in a file, before and after all others hear of it.

python -m tests.fuzz.witness ARGUMENTS, as `dungeon-tui ARGUMENTS`; WITNESS names the file. A line holds what is about
to happen ("to") or has happened ("at"; from there on another key may be read), the game's key in the library, whether a
person has moved by now, and the actions that led to the turn. "open" is the turn at which a game was opened.
What is played out in a variation isn't noted: nothing of it stays.
"""

import os
from typing import Any

from dungeon_tui.__main__ import main
from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.turns import ChangeKind, Turn
from dungeon_tui.storage.journal import Journal


def watch(file: str) -> None:
    """Has every session that a journal is opened for noted in a file."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    begin = Journal.__init__

    def begin_watched(self: Journal, library: Any, game: Any, session: Any, *rest: Any, **options: Any) -> None:
        begin(self, library, game, session, *rest, **options)
        controller, rules, has_moved = session.controller, session.controller.rules, options["resumed"] is not None
        go = controller._go

        def note(word: str, turn: Turn[Any, Any]) -> None:
            way = ";".join(rules.action_text(each.action) for each in turn.line()[1:])
            os.write(descriptor, f"{word}\t{self.stored.key}\t{int(has_moved)}\t{way}\n".encode())

        def go_watched(kind: ChangeKind, turn: Turn[Any, Any]) -> bool:
            nonlocal has_moved
            if is_beginning or session.variation is not None:  # nothing of it stays
                return bool(go(kind, turn))
            is_own = kind is ChangeKind.APPLIED and session.player(controller.turn) == YOU
            has_moved = has_moved or (is_own and not session.is_looking_back)
            note("to", turn)
            done: bool = go(kind, turn)
            note("at", turn)
            return done

        begin_variation, return_to, is_beginning = session.begin_variation, session._return_to, False

        def begin_variation_watched(origin: Turn[Any, Any]) -> Any:
            nonlocal is_beginning
            note("to", origin)
            is_beginning = True
            try:
                return begin_variation(origin)
            finally:
                is_beginning = False

        def return_watched(turn: Turn[Any, Any]) -> None:
            note("to", turn)
            return_to(turn)
            note("at", turn)

        controller._go = go_watched
        session.begin_variation, session._return_to = begin_variation_watched, return_watched
        note("open", controller.turn)

    Journal.__init__ = begin_watched


if __name__ == "__main__":
    watch(os.environ["WITNESS"])
    main()

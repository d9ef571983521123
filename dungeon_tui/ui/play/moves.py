"""A person's moves by keys, and the keys that only one game has."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dungeon_tui.core.grid import Direction
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.ui.keys import MOVE_KEYS, MOVES, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.learn import Learn
from dungeon_tui.ui.play.part import Part, Stage
from dungeon_tui.ui.play.replay import ONE_LIFE
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.play.travel import Signpost, Travel
from dungeon_tui.ui.widgets.dialogs import LineDialog, Pause

OVER = "The game is over: undo, restart or leave; {step.back} looks back."
DEADLY = "That kills you. Press again to do it."
NO_DIAGONALS = "There are no diagonal moves in this game."


def _step_keys(*names: str) -> dict[str, Key]:
    keys = {}
    for name in names:
        way, words = name.lower().replace("_", "-"), name.lower().replace("_", " ")
        how = "move diagonally" if " " in words else "move"
        keys[name] = Key(f"move.{way}", MOVE_KEYS[way], words.capitalize(), f"{how} {words}", MOVES)
    return keys


def _without(key: Key, names: Collection[str]) -> Key:
    """The key without those that do something else in a game."""
    keys = ",".join(name for name in key.names if name not in names)
    return key if keys == key.keys else replace(key, keys=keys, shown="")


STEP_KEYS = _step_keys("UP", "DOWN", "LEFT", "RIGHT")
DIAGONAL_STEP_KEYS = _step_keys("UP_LEFT", "UP_RIGHT", "DOWN_LEFT", "DOWN_RIGHT")
DIAGONAL_KEYS = frozenset(name for key in DIAGONAL_STEP_KEYS.values() for name in key.names)
HELD_S = 0.08  # a key that is held repeats sooner
STAY_KEY = Key("stay", "e,full_stop,5", "Stay", "stay where you are for a turn", MOVES)


class Moves(Part):
    """Turns keys into actions and plays them."""

    def __init__(
        self,
        stage: Stage,
        travel: Travel,
        seats: Seats,
        learn: Learn | None,
        signpost: Signpost,
    ) -> None:
        super().__init__(stage)
        self._signpost = signpost
        self._travel, self._seats, self._learn = travel, seats, learn
        self._warning: tuple[Any, Any, int] | None = None  # turn, deadly action, number of messages
        self._pause, self._rest = Pause(HELD_S), Pause()
        self._rested = self._session.turn  # at which a key came after a rest
        self._prompts = self._view.all_features(features.Prompt)
        self._specials = self._view.all_features(features.Special)
        self.special_ids = {special.key.id for special in self._specials}

    def commands(self) -> Sequence[Command]:
        view, special = self._view, {name for each in self._specials for name in each.key.names}
        steps = STEP_KEYS | (DIAGONAL_STEP_KEYS if view.has_diagonals else {})
        steps = {name: _without(key, special) for name, key in steps.items()}
        return [
            *(Command(key, partial(self.move, Direction[name])) for name, key in steps.items()),
            Command(STAY_KEY, partial(self.move, None)),
            *(Command(each.key, partial(self._do, each)) for each in self._specials),
            *(Command(each.key, partial(self.ask, each)) for each in self._prompts),
            *(Command(each.key, partial(self._switch, each)) for each in view.all_features(features.Switch)),
            *(Command(each.key, partial(self._open_page, each)) for each in view.all_features(features.Page)),
        ]

    def move(self, direction: Direction | None) -> None:
        """Steps, or stays if `direction` is None; moves the mark while you choose a cell."""
        begun = self._session.turn
        self._rested = begun if self._rest.was_long() else self._rested
        if self._travel.is_on:
            if direction is None:
                self._say("You are choosing a cell: Enter takes it, Esc goes back.", transient=True)
            else:
                self._travel.move_cursor(direction)
        elif begun.begins_level and begun.parent is not None and self._rested is not begun:
            pass  # the key was meant for the level that you left
        elif self._seats.is_busy:
            self._seats.wait_for(partial(self.move, direction))
        elif first := self.first_question():
            self.ask(first)
        else:
            try:
                action = self._view.action_towards(self._session.state, direction)
            except IllegalActionError as error:
                self._stage.say_illegal(error)
            else:
                self.play(action)

    def _do(self, special: features.Special) -> None:
        if not self._signpost.lead(special.action):
            self.play(special.action)

    def play(self, action: Any, *, continues_command: bool = False) -> None:
        session, seats, learn, is_final = self._session, self._seats, self._learn, self._stage.is_final
        if learn is not None and learn.is_on and learn.lesson is not None:
            self._start(learn.attempt, action, group="learn", exclusive=True)
        elif session.outcome is not None:
            self._say(OVER if not is_final else ONE_LIFE, transient=True)
        elif session.is_looking_back and is_final:
            self._say(ONE_LIFE, transient=True)
        elif (session.is_persons_turn and not seats.is_answering) or seats.take_over(action):
            if self._must_ask(action):
                self._say(DEADLY, Meaning.FOE, transient=True)
                self._warning = session.turn, action, self._stage.messages.said
                return
            try:
                session.play(action, continues_command=continues_command)
            except IllegalActionError as error:
                self._stage.say_illegal(error)
                return
            seats.answer()

    def _must_ask(self, action: Any) -> bool:
        """True if you have one life, the action is certain death, and you did not confirm it below the warning."""
        turn, is_held = self._session.turn, not self._pause.was_long()
        is_warned, self._warning = self._warning == (turn, action, self._stage.messages.said), None
        # A key that is held confirms nothing, nor does one after you did something else.
        return self._stage.is_final and (is_held or not is_warned) and self._stage.would_lose(action)

    def first_question(self) -> features.Prompt | None:
        return next((prompt for prompt in self._prompts if prompt.comes_first(self._session.state)), None)

    def ask(self, prompt: features.Prompt, typed: str = "") -> None:
        self._stage.end_choosing()
        state = self._session.state
        question = prompt.question(state)
        if isinstance(question, str):
            self._say(question, transient=True)
            return

        def play(typed: str) -> None:
            action = prompt.answer(state, typed)
            if objection := self._session.controller.rules.objection(state, action):
                raise ValueError(objection)
            self.play(action)  # before the next key comes

        dialog = LineDialog(question.title, question.text, check=play, typed=typed, is_number=True)
        dialog.set_class(self._stage.is_beside, "-aside")
        self._stage.app.push_screen(dialog)  # at once: the next keys are the dialog's

    def _switch(self, switch: features.Switch) -> None:
        self._stage.end_choosing()
        self._say(switch.switch(self._session.state), transient=True)
        if switch.is_answer:
            self._stage.mark_helped(switch.key.label)
        self._stage.forget_advice()
        self._stage.refresh_turn()

    def _open_page(self, page: features.Page) -> None:
        self._stage.end_choosing()
        self._seats.stop()
        opened = page.open(self._session.state)
        if isinstance(opened, str):
            self._say(opened, transient=True)
            return
        if page.is_answer:
            if self._stage.asks_first(page.key):
                return
            self._stage.mark_helped(f"the {page.key.label.lower()}")
        self._stage.app.push_screen(opened)

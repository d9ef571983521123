"""The dialogue that asks who plays each seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, Static

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.widgets.key_bar import KeyBar


class SeatList(Static):
    """A line for each seat; a click takes its next player."""

    async def on_click(self, event: events.Click) -> None:
        """Chooses the clicked seat, and its next player."""
        await self.screen.run_action(f"take({event.y})")


class PlayersDialog(ModalScreen[dict[str, str] | None]):
    """Up and down choose a seat, left and right who sits there; None when it was left."""

    BINDINGS = [
        Binding("up,w,k,8", "seat(-1)", show=False),
        Binding("down,s,j,2,tab", "seat(1)", show=False),
        Binding("left,a,h,4", "player(-1)", show=False),
        Binding("right,d,l,6,space", "player(1)", show=False),
        Binding("enter", "accept", show=False),
        Binding("escape,q,m", "leave", show=False),
    ]

    def __init__(self, seats: Mapping[str, Sequence[str]], players: Mapping[str, str], glyphs: Glyphs) -> None:
        super().__init__()
        self._options = {seat: tuple(dict.fromkeys((YOU, *others, players[seat]))) for seat, others in seats.items()}
        self._players = dict(players)
        self._glyphs = glyphs
        self._row = 0

    def compose(self) -> ComposeResult:
        """Yields the question, the seats, and the keys."""
        up, down, left, right = list(self._glyphs.ways[:4])
        with Vertical():
            yield Label("Who plays?")
            yield SeatList()
            yield KeyBar([
                ("Enter", "Play", "accept"),
                (f"{left} {right}", "Player", "player(1)"),
                (f"{up} {down}", "Seat", "seat(1)"),
                ("Esc", "Back", "leave"),
            ])  # fmt: skip

    def on_mount(self) -> None:
        """Shows who sits where."""
        self._show()

    def action_seat(self, steps: int) -> None:
        """Chooses the seat so many lines down, or up if negative."""
        self._row = (self._row + steps) % len(self._options)
        self._show()

    def action_player(self, steps: int) -> None:
        """Gives the chosen seat its next player, or the one before if negative."""
        seat = list(self._options)[self._row]
        options = self._options[seat]
        self._players[seat] = options[(options.index(self._players[seat]) + steps) % len(options)]
        self._show()

    def action_take(self, row: int) -> None:
        """Chooses the seat on a line, and gives it its next player."""
        self._row = row
        self.action_player(1)

    def action_accept(self) -> None:
        """Closes the dialogue; its result is the player of each seat."""
        self.dismiss(self._players)

    def action_leave(self) -> None:
        """Closes the dialogue; its result is None."""
        self.dismiss(None)

    def _show(self) -> None:
        lines: list[Content] = []
        width = max(map(len, self._options))
        for row, (seat, options) in enumerate(self._options.items()):
            chosen = self._players[seat]
            parts: list[Content | str] = [Content.styled(f"{seat.capitalize():<{width}}  ", "bold $path")]
            for player in options:
                style = "$note 55%" if player != chosen else "bold $you" if row != self._row else _CHOSEN
                parts += [Content.styled(f" {player} ", style), " "]
            lines.append(Content.assemble(">" if row == self._row else " ", " ", *parts))
        self.query_one(SeatList).update(Content("\n").join(lines))


_CHOSEN = "bold $tint-cursor-text on $tint-cursor"

"""A list of games, one per line, in columns as wide as there is room."""

from rich.cells import set_cell_size
from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets.option_list import Option

from dungeon_tui.storage.shelf import Item, Standing

ROOMY = 66  # columns that leave room for the game and the year
_WHEN, _GAME, _STATE = 16, 10, 16  # columns
_SHORT_WHEN, _SHORT_STATE = 11, 9
_COLOURS = {Standing.WON: "$prize", Standing.GOES_ON: "$you", Standing.LOST: "$foe"}


class GameOption(Option):
    """A game in an OptionList."""

    def __init__(self, item: Item) -> None:
        super().__init__(_Line(item))
        self.item = item


class _Line(Visual):
    def __init__(self, item: Item) -> None:
        self._item = item

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return 1

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        line = Content.assemble(*_columns(self._item, width))
        shown = Content(line.plain) if style.bold else line  # the highlighted line is bold and has one colour
        return shown.render_strips(width, height, style, options)


def _columns(item: Item, width: int) -> list[tuple[str, str]]:
    """The texts of a line with their colours."""
    is_roomy = width >= ROOMY
    when, state = (_WHEN, _STATE) if is_roomy else (_SHORT_WHEN, _SHORT_STATE)
    head = f" {_cut(item.when if is_roomy else item.when[5:], when)}  "
    if is_roomy:
        head += f"{_cut(item.game.title, _GAME)}  "
    stands = item.state if len(item.state) <= state else item.state.split(", ")[0]  # won 1x, turn 75: won 1x
    title = _cut(item.title, max(1, width - len(head) - state - 3))
    return [(head, "$path"), (f"{title}  ", ""), (f"{_cut(stands, state)} ", _COLOURS[item.standing])]


def _cut(text: str, width: int) -> str:
    if len(text) > width > 4:
        text = set_cell_size(text, width - 3).rstrip() + "..."
    return set_cell_size(text, width)

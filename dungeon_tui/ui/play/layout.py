"""The layout of the play screen: heights, footer, and the size of the map's cells."""

from collections.abc import Sequence
from functools import partial

from textual.widget import Widget

from dungeon_tui.ui.keys import LOOKING, Command, Key, footer_of, key_names
from dungeon_tui.ui.map.geometry import Geometry
from dungeon_tui.ui.map.source import MapSource
from dungeon_tui.ui.play.fate import Fate
from dungeon_tui.ui.play.features import Prompt, Special, Strategies
from dungeon_tui.ui.play.line_view import LineView
from dungeon_tui.ui.play.part import COLUMNS_BESIDE, Part, Stage
from dungeon_tui.ui.widgets.key_bar import Entry, KeyBar
from dungeon_tui.ui.widgets.timeline import ROOMY

_MAX_MESSAGE_LINES = 4
_LEAST_LINES_BESIDE = 20  # of a terminal with panel and log in one column
_TEXT_BESIDE, _GRAPH_BESIDE = 2, 2  # lines of a timeline there: above the turns
_LOG_BESIDE = 3  # lines of a log there, at least
_PANEL_COLUMNS = 32
_TALL = 45  # lines of a terminal
_LEAST_MAP_ROWS = 3  # beside an open log
_LOG = Key("log", "", "Messages", "show earlier messages, or only the last ones", LOOKING)
_ZOOMS = (
    (Key("zoom.in", "plus,equals_sign", "Larger", "zoom in: larger cells", LOOKING, shown="+"), 1),
    (Key("zoom.out", "minus", "Smaller", "zoom out: smaller cells", LOOKING), -1),
    (Key("zoom.fit", "", "Fit", "cells as large as the map allows", LOOKING), None),
)


def space_for_map(stage: Stage) -> tuple[int, int]:
    """Columns and lines that the map can have beside the panel and above a short log."""
    return _space(stage, stage.is_beside)


def _space(stage: Stage, is_beside: bool) -> tuple[int, int]:
    width, height = stage.app.size
    if is_beside:
        return width - COLUMNS_BESIDE, height - 1
    return (width, height - 6) if stage.is_narrow else (width - _PANEL_COLUMNS, height - 5)


def fits_beside(stage: Stage, picture: MapSource) -> bool:
    """True in a narrow terminal if cells are larger beside the panel than above a log; on a tie, if not wide."""
    if not stage.is_narrow or stage.app.size.height < _LEAST_LINES_BESIDE:
        return stage.view.is_quiet and stage.app.size.height >= _LEAST_LINES_BESIDE
    above, beside = (_fitted(stage, picture, *_space(stage, is_beside)) for is_beside in (False, True))
    if stage.view.keeps_layout:
        return above.cell_lines == 1 < beside.cell_lines
    return beside.size > above.size or (beside.size == above.size and 1.5 * picture.height >= picture.width)


def _fitted(stage: Stage, picture: MapSource, width: int, height: int) -> Geometry:
    columns = stage.view.columns(stage.session.state)
    zoom = stage.map.sprite_zoom(picture, width, height, columns)
    part = picture.part[:2] if picture.part and zoom is not None else None
    return Geometry.fit(*(part or (picture.height, picture.width)), width, height, zoom, columns)


def share_lines(stage: Stage, board: Widget, below: Widget, line_view: LineView) -> None:
    """Divides the lines among the widgets, and the screen among map, panel and log."""
    stage.set_class(not stage.has_panel, "-narrow")
    stage.set_class(stage.is_beside, "-beside")
    line_view.widget.set_class(line_view.is_on, "-shown")
    if stage.is_beside:
        below.styles.offset = (stage.app.size.width - COLUMNS_BESIDE, 0)
        line_view.widget.text_lines = _TEXT_BESIDE
        _share_column(stage, board, line_view)
    else:
        below.styles.offset = (0, 0)
        line_view.widget.text_lines = 1
        stage.panel.styles.height = "1fr"
        _share_rows(stage, board, line_view)


def _share_column(stage: Stage, board: Widget, line_view: LineView) -> None:
    """Divides the column beside the map; timeline and long texts take lines from the panel."""
    height, messages = stage.app.size.height, stage.messages
    shown = 0
    if line_view.is_on:
        room = _GRAPH_BESIDE * (line_view.has_graph and not line_view.is_learning)
        shown = max(_TEXT_BESIDE, line_view.widget.first_lines(messages.size.width)) + room + 1
    most = height * (3 if height >= _TALL else 2) // 5  # in a tall terminal the log begins not far below the facts
    least = max(_LOG_BESIDE, min(most, height - 2 - stage.panel.wanted_lines() - shown))
    kept = _LOG_BESIDE if messages.is_open else max((height - 1) // 2, stage.panel.wanted_lines(is_bare=True))
    wanted = messages.all_lines() if messages.is_open else messages.wanted_lines()
    lines = max(least, min(wanted, height - 1 - shown - kept))
    _set_height(line_view.widget, shown)
    _set_height(messages, lines)
    _set_height(stage.panel, height - 1 - lines - shown)
    _set_height(board, height - 1)
    stage.map.keep_clear(0)


def _share_rows(stage: Stage, board: Widget, line_view: LineView) -> None:
    """Divides the lines; the timeline takes some from the log, long texts from the timeline, then from the map."""
    height, has_panel = stage.app.size.height, stage.has_panel
    own = 0 if has_panel else stage.status.own_lines
    fixed = 1 + own  # the keys, the status line
    most = 1 if height < 24 else 7 if height >= ROOMY else 4
    spare = height - fixed - stage.rows
    room = most if spare < 1 else min(most, spare)
    least = 1 + line_view.widget.first_lines(stage.messages.size.width) * line_view.is_learning  # the lesson's task
    shown = line_view.lines(height) if line_view.is_on else 0
    shown = max(shown, least * (shown > 1))
    taken = 0 if has_panel else stage.status.wanted_lines() - own
    wanted = min(stage.messages.wanted_lines(), _MAX_MESSAGE_LINES, height // 4)
    if stage.messages.is_open:
        wanted = max(wanted, min(stage.messages.all_lines(), height - fixed - _LEAST_MAP_ROWS))
    left = max(1, room - shown - taken)
    lines = max(left, wanted)
    shown = max(min(shown, least), shown - (lines - left))
    if shown == 1 and stage.view.keeps_layout:  # none if it would hide the last line of a map that fits
        picture = stage.view.picture(stage.session.state)
        high = picture.height * _fitted(stage, picture, *space_for_map(stage)).cell_lines
        shown -= fixed + high + taken + lines == height
    _set_height(line_view.widget, shown)
    if not has_panel:
        _set_height(stage.status, own + taken)
    _set_height(stage.messages, lines)
    _set_height(board, max(1, height - fixed - room))
    stage.map.keep_clear(max(0, shown + taken + lines - room))


def _set_height(widget: Widget, lines: int) -> None:
    if widget.styles.height is None or widget.styles.height.value != lines:
        widget.styles.height = lines


class Footer(KeyBar):
    """The usual keys of a game, without those that are refused now; or those of a choice."""

    def __init__(self, stage: Stage, line_view: LineView, fate: Fate | None) -> None:
        super().__init__((), id="keys")
        self._stage, self._line_view, self._fate = stage, line_view, fate
        self._prompts, self._specials = stage.view.all_features(Prompt), stage.view.all_features(Special)
        self._strategies = stage.view.feature(Strategies)
        self._usual: tuple[dict[str, str], set[str]] | None = None  # what the keys depend on

    def show_choice(self, entries: Sequence[Entry]) -> None:
        self._usual = None
        self.show(entries)

    def show_usual(self, *, renamed: bool = False) -> None:
        """Shows the usual keys, none below a dialog; `renamed`: also if they are shown already."""
        stage = self._stage
        if not stage.is_active:
            self.show_choice(())
            return
        first = self._line_view.first_keys()
        refused = self._refused()
        if not renamed and (first, refused) == self._usual:
            return
        self._usual = first, refused
        by_id = {key.id: key for key in stage.keys}
        mine = [by_id[name] for name in first if name in by_id]
        if self._fate is not None and self._fate.is_doomed and self._strategies is not None and "why" not in first:
            mine += [by_id["why"]]  # the message names it
        keys = mine + [key for key in footer_of(stage.keys) if key not in mine]
        keys = [key for key in keys if key.id not in refused]
        names = key_names(stage, stage.keys)
        entries: list[Entry] = []
        for key in keys:
            shown, label = stage.glyphs.plain(names[key.id]), first.get(key.id) or key.label
            if entries and entries[-1][1] == label:  # two ways of one thing
                shown = f"{entries.pop()[0]} {shown}"
            entries.append((shown, label, key.action))
        self.show(entries)

    def _refused(self) -> set[str]:
        """Ids of the keys that would only say why they do nothing now."""
        stage, turn, is_final = self._stage, self._stage.session.turn, self._stage.is_final
        objection = stage.session.controller.rules.objection
        refused = {prompt.key.id for prompt in self._prompts if isinstance(prompt.question(turn.state), str)}
        refused |= {special.key.id for special in self._specials if objection(turn.state, special.action)}
        if any(special.key.footer and special.key.id not in refused for special in self._specials):
            refused.add("travel")  # to leave its place to stairs
        refused |= {*stage.view.unused_keys(turn.state)}
        if self._strategies is not None and self._strategies.is_fixed(turn.state):
            refused.add("players")
        if self._strategies is not None and not stage.session.own_moves(turn):
            refused.add("why")
        if stage.session.turn_to_undo is None or is_final:
            refused.add("undo")
        if turn.begins_level or is_final:
            refused.add("restart")
        if turn.parent is None:
            refused.add("step.back")
        if self._fate is None or not self._fate.is_doomed or is_final:
            refused.add("last_chance")
        if stage.session.outcome is not None:
            refused |= {"travel", "explore", "hint", "sight", "danger"}
        if stage.session.has_ended and stage.view.is_flawless(stage.session.line.turns[-1].state):
            refused |= {"learn", *["why"] * (self._strategies is not None)}
        if (learn := self._line_view.learn) is not None:
            refused |= {*learn.refused(), *["hint"] * learn.is_over}
        return refused


class Zoom(Part):
    """Zooms by keys and by the settings; opens the log."""

    _applied = ""  # the zoom setting

    def commands(self) -> Sequence[Command]:
        return [Command(_LOG, self.open_log), *(Command(key, partial(self._stage.map.zoom, by)) for key, by in _ZOOMS)]

    def open_log(self) -> None:
        """Shows as many messages as there is room for, or again only the last ones."""
        self._stage.messages.is_open ^= True
        self._stage.share_lines()

    def close(self) -> bool:
        if is_open := self._stage.messages.is_open:
            self.open_log()
        return is_open

    def draw_as_set(self) -> None:
        stage = self._stage
        is_plain = stage.glyphs.is_ascii or stage.app.no_color  # half blocks need colours
        stage.map.draw_sprites(stage.preferences.settings.sprites and not is_plain)
        stage.view.has_letters = not stage.map.has_sprites
        stage.map.breathe(stage.is_animated)

    def zoom_as_set(self) -> None:
        zoom = self._stage.preferences.settings.zoom
        if zoom != self._applied:
            self._applied = zoom
            self._stage.map.zoom_to(None if zoom == "fit" else int(zoom))

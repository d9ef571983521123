"""The options of `deep play`."""

from collections.abc import Collection

from dungeon_tui.core.options import FLAG, NEW, SEED, Form, Option, Options


def _names() -> Collection[str]:
    from dungeon_tui.games.deep.model.campaigns import names

    return names()


# Without a seed the descent is random. A seed alone identifies a descent, so texts leave out this option.
DESCENT = Option("descent", FLAG, "A descent: ten levels, one life", default=True, levels=NEW)

OPTIONS = Options(
    "CAMPAIGN",
    "A shipped campaign, or a file; - is standard input",
    _names,
    (DESCENT, SEED),
    summary="Play a campaign, or a descent.",
)


def forms() -> tuple[Form, ...]:
    """The form for a descent."""
    note = "Ten levels down, one life; points for depth and treasure."
    return (OPTIONS.form("New descent", SEED.ask(), note=note, aim="points"),)

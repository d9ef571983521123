"""The options that name a level."""

from dungeon_tui.core.options import Options

# A game with many levels keeps them as files in levels/GAME: core.catalogue.levels_folder.
LEVELS = {"pond": "@...\n..#.\n#..!\n", "lake": "@....#\n..#...\n#...#.\n...#..\n.#...!\n"}
OPTIONS = Options("LEVEL", "A level of ours, or a file", lambda: LEVELS, has_dailies=False)

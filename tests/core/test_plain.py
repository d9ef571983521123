"""Reading commands without a screen, asking, and failing in one line."""

from io import StringIO

import pytest

from dungeon_tui.core.plain import FAREWELL, ask, fail, read_command, read_line, read_word


def test_commands_are_characters_and_words_whatever_parts_them() -> None:
    source = StringIO(" \n w\ta  open-room\r\n7")
    words = [read(source) for read in (read_command, read_command, read_word, read_word)]
    assert words == ["w", "a", "open-room", "7"]
    assert (read_command(source), read_word(source)) == ("", "")


@pytest.mark.parametrize(("given", "answer", "said"), [("my map.json\n", "my map.json", ""), ("", "", FAREWELL)])
def test_who_gives_no_answer_is_taken_leave_of(given: str, answer: str, said: str) -> None:
    out = StringIO()
    assert ask("Which map?\n", StringIO(given), out, read_line) == answer
    assert out.getvalue() == f"Which map?\n{said}"


def test_an_answer_is_one_word_unless_lines_are_read() -> None:
    assert ask("Which board?\n", StringIO("open-room d d q"), StringIO()) == "open-room"


def test_failing_takes_one_line_that_is_safe_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        fail("no such\n\tthing: \x1b[2J")
    assert leaving.value.code == 1
    assert capsys.readouterr() == ("", "no such thing: \\x1b[2J\n")

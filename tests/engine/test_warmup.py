from threading import Event

from dungeon_tui.engine.warmup import KERNELS, warm_up


def test_every_kernel_is_told_and_runs():
    told = []
    assert warm_up(lambda *news: told.append(news))
    assert [name for _, _, name in told] == [*KERNELS, "ready"]
    assert [done for done, _, _ in told] == list(range(len(KERNELS) + 1))
    assert {of for _, of, _ in told} == {len(KERNELS)}


def test_it_stops_before_the_next_kernel():
    stop, told = Event(), []

    def progress(done, _of, name):
        told.append(name)
        if done == 1:
            stop.set()

    assert not warm_up(progress, stop)
    assert told == list(KERNELS)[:2]


def test_those_of_others_come_last():
    told, ran = [], []
    assert warm_up(lambda *news: told.append(news), more={"a game's": lambda: ran.append("game")})
    assert [name for _, _, name in told] == [*KERNELS, "a game's", "ready"]
    assert ran == ["game"]

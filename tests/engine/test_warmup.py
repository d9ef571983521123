from threading import Event

from dungeon_tui.engine.warmup import KERNELS, warm_up


def test_every_kernel_is_told_and_runs_and_those_of_others_come_last():
    told, ran = [], []
    assert warm_up(lambda *news: told.append(news), more={"a game's": lambda: ran.append("game")})
    names = [*KERNELS, "a game's", "ready"]
    assert told == [(done, len(names) - 1, name) for done, name in enumerate(names)]
    assert ran == ["game"]


def test_one_may_come_first_and_it_stops_before_the_next():
    told, stop = [], Event()

    def progress(_done, _of, name):
        told.append(name)
        stop.set()

    assert not warm_up(progress, stop, {"one": bool, "other": bool}, "other")
    assert told == ["other"]

"""A clock for tests."""


class Clock:
    """Seconds that pass only when a test adds some to `now`."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now

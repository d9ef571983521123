"""The app as a visitor's browser shows it: cli/serving.py stands between the two."""

from __future__ import annotations

from contextlib import suppress

from textual.drivers.web_driver import WebDriver


class BrowserDriver(WebDriver):
    """Textual's driver for browsers; the app ends when nobody is there any more to send it keys."""

    def run_input_thread(self) -> None:
        """Reads until the app or the server has ended, or something came that is no text."""
        super().run_input_thread()
        with suppress(RuntimeError):  # the loop has ended
            self._app.call_later(self._app.exit)

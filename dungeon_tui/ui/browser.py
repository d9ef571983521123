"""The driver for visitors' browsers; see cli/serving.py."""

from contextlib import suppress

from textual.drivers.web_driver import WebDriver


class BrowserDriver(WebDriver):
    """Textual's driver for browsers; ends the app when the connection ends."""

    def run_input_thread(self) -> None:
        """Reads until the app or the server ends."""
        super().run_input_thread()
        with suppress(RuntimeError):  # the loop has ended
            self._app.call_later(self._app.exit)

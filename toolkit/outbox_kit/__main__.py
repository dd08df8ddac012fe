"""The process boundary: an unforeseen exception is an internal error and ends in exit code 70.

Python's own 1 would read as "findings". Everything foreseen is turned into text in `cli.Root`. Modules are imported
within `main`, so that an interruption in the meantime is reported like any other.
"""

import os
import sys
from typing import Any, TextIO


class Veiled:
    """A stream that hides secrets in everything written to it, such as a thread's trace or a library's log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """The text, without secrets."""
        from outbox_kit.secret import hidden

        self._stream.write(hidden(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def main() -> None:
    """Run the command line."""
    debug = "--debug" in sys.argv or bool(os.environ.get("OUTBOX_KIT_DEBUG"))
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # it would look through all installed packages for some
    try:
        sys.stderr = Veiled(sys.stderr)
        import signal

        from outbox_kit.cli import app, terminate

        signal.signal(signal.SIGTERM, terminate)
        with app.limited(sys.argv[1:]):
            app()
    except KeyboardInterrupt:  # before `Root` reports it
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except Exception as bug:
        import traceback

        from outbox_kit.secret import hidden

        trace = traceback.format_exc() if debug else ""
        places = "".join(f"  at    {hidden(place)}\n" for place in getattr(bug, "__notes__", ()))
        print(
            f"{trace}internal error: {type(bug).__name__}: {hidden(str(bug))}\n{places}"
            "  fix   repeat the command with --debug and report the traceback",
            file=sys.stderr,
        )
        sys.exit(70)


if __name__ == "__main__":
    main()

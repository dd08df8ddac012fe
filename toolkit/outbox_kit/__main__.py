"""The process boundary: an unforeseen exception is a bug of ours and ends in exit code 70.

Python's own 1 would read as "findings". Everything foreseen is turned into text in `cli.Root`.
"""

import os
import signal
import sys
import traceback
from typing import Any, TextIO

from outbox_kit.secret import hidden


class Veiled:
    """A stream on which no secret is written, whoever writes: a thread that dies, a library's log, a warning."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """The text, without secrets."""
        self._stream.write(hidden(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def main() -> None:
    """Run the command line."""
    debug = "--debug" in sys.argv or bool(os.environ.get("OUTBOX_KIT_DEBUG"))
    sys.stderr = Veiled(sys.stderr)
    try:
        from outbox_kit.cli import app, terminate

        signal.signal(signal.SIGTERM, terminate)
        app()
    except KeyboardInterrupt:  # before a command runs, which says so itself
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except Exception as bug:
        trace = traceback.format_exc() if debug else ""
        print(
            f"{trace}outbox-kit ran into a bug of its own: {type(bug).__name__}: {hidden(str(bug))}\n"
            "  fix   repeat the command with --debug and report the traceback",
            file=sys.stderr,
        )
        sys.exit(70)


if __name__ == "__main__":
    main()

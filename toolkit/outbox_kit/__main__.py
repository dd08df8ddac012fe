"""The process boundary: an unforeseen exception is a bug of ours and ends in exit code 70.

Python's own 1 would read as "findings". Everything foreseen is turned into text in `cli.Root`.
"""

import os
import signal
import sys


def main() -> None:
    """Run the command line."""
    debug = "--debug" in sys.argv or bool(os.environ.get("OUTBOX_KIT_DEBUG"))
    try:
        from outbox_kit.cli import app, terminate

        signal.signal(signal.SIGTERM, terminate)
        app()
    except Exception as bug:
        if debug:
            raise
        print(
            f"outbox-kit ran into a bug of its own: {type(bug).__name__}: {bug}\n"
            "  fix   repeat the command with --debug and report the traceback",
            file=sys.stderr,
        )
        sys.exit(70)


if __name__ == "__main__":
    main()

"""`python -m tests.bench.startup`: `outbox-kit --help` against the help of a Typer app that does nothing."""

import statistics
import subprocess
import sys
import time

BARE = """
import typer
app = typer.Typer()
@app.command()
def one() -> None: ...
@app.command()
def two() -> None: ...
app()
"""
COMMANDS = {"bare Typer app": ["-c", BARE, "--help"], "outbox-kit": ["-m", "outbox_kit", "--help"]}
ROUNDS = 9


def main() -> None:
    """Print both medians, taken in turn, and their ratio."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            began = time.perf_counter()
            subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
            times[name].append(time.perf_counter() - began)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, median in medians.items():
        print(f"{name:<15} {median * 1000:6.0f} ms")
    print(f"--help: {medians['outbox-kit'] / medians['bare Typer app']:.2f} times a bare Typer app's")


if __name__ == "__main__":
    main()

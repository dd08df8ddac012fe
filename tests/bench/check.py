"""`python -m tests.bench.check`: `outbox-kit check` of one file, beside a Python that does nothing."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from outbox_kit.schema.read import read
from outbox_kit.wire import connector

SCHEMA = Path(__file__).parents[1] / "examples" / "orders" / "outbox.yaml"
ROUNDS = 11
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # as it is when installed


def main() -> None:
    """Print the medians, taken in turn, and what is left of each without the interpreter's own start."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "connector.json"
        outbox = read(SCHEMA).outboxes[0]
        config.write_text(json.dumps({"name": "orders", "config": connector.config(outbox)}))
        kit = ["-m", "outbox_kit", "check"]
        commands = {
            "a Python that does nothing": ["-c", ""],
            "check connector.json": [*kit, str(config)],
            "check outbox.yaml": [*kit, str(SCHEMA)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, arguments in commands.items():
                began = time.perf_counter()
                subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=ENVIRONMENT)
                times[name].append((time.perf_counter() - began) * 1000)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    start = medians["a Python that does nothing"]
    for name, median in medians.items():
        print(f"{name:<28} {median:5.0f} ms   {median - start:5.0f} ms after the interpreter's start")


if __name__ == "__main__":
    main()

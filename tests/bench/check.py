"""`python -m tests.bench.check`: `outbox-kit check` of a file and of a folder, beside a Python that does nothing."""

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
from tests.support.lint_score import CORPUS, PARTS

SCHEMA = Path(__file__).parents[1] / "examples" / "orders" / "outbox.yaml"
ROUNDS = 11
FILES = 100
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # as it is when installed


def main() -> None:
    """Print the medians, taken in turn, and what is left of each without the interpreter's own start."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "connector.json"
        outbox = read(SCHEMA).outboxes[0]
        config.write_text(json.dumps({"name": "orders", "config": connector.config(outbox)}))
        kit = ["-m", "outbox_kit", "check"]
        (corpus := Path(folder) / "corpus").mkdir()
        files = [file for part in PARTS for file in sorted((CORPUS / part).iterdir()) if file.name != "flaws.yaml"]
        for number, file in enumerate(files[:FILES]):
            (corpus / f"{number:03}-{file.name}").write_bytes(file.read_bytes())
        commands = {
            "a Python that does nothing": ["-c", ""],
            "check connector.json": [*kit, str(config)],
            "check outbox.yaml": [*kit, str(SCHEMA)],
            f"check of {FILES} files": [*kit, "--no-config", str(corpus)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, arguments in commands.items():
                began = time.perf_counter()
                run = subprocess.run([sys.executable, *arguments], check=False, capture_output=True, env=ENVIRONMENT)
                assert run.returncode in (0, 1), run.stderr
                times[name].append((time.perf_counter() - began) * 1000)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    start = medians["a Python that does nothing"]
    for name, median in medians.items():
        print(f"{name:<28} {median:5.0f} ms   {median - start:5.0f} ms after the interpreter's start")


if __name__ == "__main__":
    main()

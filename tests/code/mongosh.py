"""A JavaScript engine for programs that read their input as JSON."""

import json
from pathlib import Path
from typing import Any

from tests.support import toolchain


def run(program: str, given: Any, folder: Path) -> Any:
    modules = folder / "node_modules"
    if not modules.exists():
        modules.symlink_to(toolchain.node() / "node_modules")
    (folder / "run.mjs").write_text(program)
    (folder / "given.json").write_text(json.dumps(given))
    return json.loads(toolchain.run("sh", "-c", "node run.mjs < given.json", folder=folder))

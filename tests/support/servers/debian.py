"""Programs from the packages of this machine's Debian, which are unpacked and not installed."""

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from outbox_kit.stack import store


def unpacked(name: str, packages: Sequence[str], adapt: Callable[[Path, Path], None] | None = None) -> Path:
    """The folder with the files of packages, below the cache.

    adapt: changes the files before they are moved from the first folder to the second.
    """
    root = store.cache_folder() / name
    if not root.is_dir():
        root.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=root.parent) as folder:
            staging = Path(folder)
            for package in _downloaded(staging, packages):
                subprocess.run(["dpkg-deb", "-x", str(package), str(staging / "root")], check=True)
            if adapt is not None:
                adapt(staging / "root", root)
            (staging / "root").rename(root)
    return root


def _downloaded(folder: Path, packages: Sequence[str]) -> Sequence[Path]:
    """Debian's packages, by the lists of this machine or newer ones of our own."""
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True)
    own = ["-o", f"Dir::State::lists={lists}", "-o", f"Dir::Cache={folder}", "-o", "Debug::NoLocking=1"]
    download = ["apt-get", "-qq", "download", *packages]
    if subprocess.run(download, cwd=folder, capture_output=True, timeout=300).returncode != 0:
        for command in (["apt-get", "-qq", "update"], download):
            subprocess.run([command[0], *own, *command[1:]], cwd=folder, check=True, timeout=300)
    return sorted(folder.glob("*.deb"))

"""The cache of downloaded files: each comes once, whole, and with the lock's checksum, or not at all."""

import hashlib
import importlib
import os
import shutil
import sys
import tarfile
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from outbox_kit.errors import StackFailed
from outbox_kit.stack.manifest import Artifact, locked
from outbox_kit.waiting import waiting_for

DOWNLOADS_AT_ONCE = 6
LINE_EVERY_SECONDS = 5.0


def cache_folder() -> Path:
    """Where downloads are kept: `$XDG_CACHE_HOME/outbox-kit`, by default below ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "outbox-kit"


def module(name: str) -> ModuleType:
    """Import a module of the extra `stack`. Raises StackFailed with the command that installs it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about folders of the user's session that a server does not have
            return importlib.import_module(name)
    except ImportError as cause:
        raise StackFailed(
            f"the local stack needs the package '{name}'", fix="pip install 'outbox-kit[stack]'"
        ) from cause


def jars() -> list[Path]:
    """The class path of Kafka and Connect, downloaded where it is not yet."""
    return fetched([artifact for artifact in locked() if not artifact.plugin])


def plugins() -> Path:
    """The folder of unpacked connector plugins, downloaded and unpacked where it is not yet."""
    return unpacked([artifact for artifact in locked() if artifact.plugin], "plugins")


def unpacked(archives: Sequence[Artifact], name: str) -> Path:
    """A folder of the cache with a folder of each archive's content in it. Raises StackFailed."""
    folder = cache_folder() / name
    for artifact, path in zip(archives, fetched(archives), strict=True):
        target = folder / f"{artifact.name}-{artifact.version}"
        if not target.is_dir():
            _unpack(path, target)
    return folder


def fetched(artifacts: Sequence[Artifact]) -> list[Path]:
    """The files of these artifacts, downloaded where they are not yet. Raises StackFailed."""
    missing = [artifact for artifact in artifacts if not _is_whole(_path(artifact), artifact)]
    if missing:
        _download(missing)
    return [_path(artifact) for artifact in artifacts]


def _path(artifact: Artifact) -> Path:
    return cache_folder() / "artifacts" / artifact.file


def _is_whole(path: Path, artifact: Artifact) -> bool:
    """By size: the checksum was compared before the file got its name."""
    return path.is_file() and path.stat().st_size == artifact.size


def _download(missing: Sequence[Artifact]) -> None:
    folder = cache_folder() / "artifacts"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
    except OSError as cause:
        raise StackFailed(f"'{folder}' cannot be written", why=str(cause.strerror)) from cause
    total = sum(artifact.size for artifact in missing)
    if free < 3 * total:
        raise StackFailed(
            f"{free >> 20} MB are free, and the downloads need {3 * total >> 20} MB",
            where=str(folder),
            fix="free some disk, or set XDG_CACHE_HOME to a folder on another one",
        )
    with _progress(len(missing), total) as advance, tempfile.TemporaryDirectory(dir=folder) as staging:
        pool = ThreadPoolExecutor(DOWNLOADS_AT_ONCE)
        try:
            for done in as_completed([pool.submit(_fetch, a, Path(staging), advance) for a in missing]):
                done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _fetch(artifact: Artifact, staging: Path, advance: Callable[[int], None]) -> None:
    """Download one file into the staging folder, compare its checksum, and give it its name in the cache."""
    maven = module("jgo.maven")

    @contextmanager
    def report(_name: str, _size: int) -> Iterator[Callable[[int], None]]:
        yield advance

    context = maven.MavenContext(
        resolver=maven.PythonResolver(progress_callback=report),
        repo_cache=staging / artifact.file,  # one each: the client is not made for several threads
        timeout=60,
    )
    project = context.project(artifact.group, artifact.name).at_version(artifact.version)
    kind = {"classifier": artifact.classifier, "packaging": "tar.gz"} if artifact.plugin else {}
    try:
        path = Path(project.artifact(**kind).resolve())
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest == artifact.sha256:
            path.replace(_path(artifact))
    except (OSError, RuntimeError) as cause:
        raise StackFailed(
            f"'{artifact.file}' could not be downloaded", why=str(cause), fix="try again; what came is kept"
        ) from cause
    if digest != artifact.sha256:
        raise StackFailed(
            f"'{artifact.file}' is not the file that the lock names",
            why=f"its SHA-256 is {digest}, expected {artifact.sha256}",
            fix="try again; if it stays so, the repository or the way to it is not to be trusted",
        )


def _unpack(archive: Path, target: Path) -> None:
    """Unpack into a folder of its own and name it last, so that a broken one is never taken for whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(dir=target.parent.parent))
    try:
        with tarfile.open(archive) as content:
            content.extractall(staging, filter="data")
        staging.chmod(0o755)
        staging.replace(target)
    except OSError as cause:
        if not target.is_dir():  # another process may have been quicker
            raise StackFailed(f"'{archive.name}' could not be unpacked", why=str(cause)) from cause
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def _progress(files: int, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, else a line now and then; on stderr. Yields what to call with bytes received."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    console = Console(stderr=True)
    if console.is_terminal:
        columns = (TextColumn("downloading"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("downloading", total=total)
            yield lambda received: bar.advance(task, received)
        return
    received, reported = 0, time.monotonic()
    print(f"downloading {files} files, {total >> 20} MB", file=sys.stderr, flush=True)

    def advance(more: int) -> None:
        nonlocal received, reported
        received += more
        if time.monotonic() - reported > LINE_EVERY_SECONDS:
            reported = time.monotonic()
            print(f"  {received >> 20} of {total >> 20} MB", file=sys.stderr, flush=True)

    with waiting_for("the downloads"):  # also while nothing is received
        yield advance

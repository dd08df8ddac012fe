"""`python -m outbox_kit.stack.warm`: make the caches with which Kafka and Connect start (`stack.aot`).

Both are started once more, and write down at their end which classes they have loaded. That takes some 20 s, once for
each Java runtime and class path.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from outbox_kit.stack import aot
from outbox_kit.stack.processes import free_ports, run, start, wait_until
from outbox_kit.stack.services import SERVICES, StackPlace

JVMS = ("kafka", "connect")
END_SECONDS = 120.0
POLL_SECONDS = 0.1


def warm() -> None:
    """Make the caches that do not exist yet. Raises StackFailed where a service does not start."""
    if not aot.supported() or all(aot.cache(service).is_file() for service in JVMS):
        return
    with tempfile.TemporaryDirectory(prefix="outbox-kit-warm-") as name:
        folder = Path(name)
        postgres, kafka, controller, connect = free_ports(4)
        place = StackPlace(folder, folder, postgres, kafka, controller, connect, "", "")
        recorded = _recorded(place)
        for service in JVMS:
            if recorded[service].is_file():
                _create(service, place, recorded[service])


def _recorded(place: StackPlace) -> dict[str, Path]:
    """Run both services until they answer, and end them: the files in which they write down their classes."""
    files = {service: place.folder / f"{service}.aotconf" for service in JVMS}
    with ExitStack() as running:
        for service, file in files.items():
            running.enter_context(_recording(service, place, file))
    return files


@contextmanager
def _recording(name: str, place: StackPlace, configuration: Path) -> Iterator[None]:
    """A service that answers, and that writes down its classes when the block ends."""
    service, log = SERVICES[name], place.log(name)
    service.set_up(place)
    process = start(_with(aot.recording(configuration), service.command(place)), log, owned=True)
    try:
        wait_until(lambda: service.ready(place), process, log, name)
        yield
        process.ask_to_end()
        deadline = time.monotonic() + END_SECONDS
        while process.alive() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
    finally:
        process.kill()


def _create(service: str, place: StackPlace, configuration: Path) -> None:
    """Make the cache beside its place and name it last, so that a broken one is never used."""
    target = aot.cache(service)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as staging:
        recorded = Path(staging) / target.name
        run(_with(aot.creating(configuration, recorded), SERVICES[service].command(place)), place.log(service))
        recorded.replace(target)


def _with(options: list[str], command: list[str]) -> list[str]:
    """A JVM's command with more options, and with no cache."""
    java, *rest = command
    return [java, *options, *(word for word in rest if not word.startswith("-XX:AOTCache="))]


if __name__ == "__main__":
    warm()

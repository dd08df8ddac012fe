"""What reads the relay's log hangs: the pipe between them is full, and the relay waits at its next line."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal

LINE = b"\n"
END_SESSION = "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = %s"


def _hang(place: Ground) -> None:
    pipe, before = place.folder / "log.pipe", place.published()
    place.stop_relay()
    os.mkfifo(pipe, mode=0o600)
    reader = place.shell.started(f"cat {pipe.name}", place.folder / "collected.log")
    place.beside.append(reader)
    place.start_relay(pipe)
    place.write()
    place.until(lambda: place.published() > before, "the relay to publish")
    reader.process.send_signal(signal.SIGSTOP)
    _fill(pipe)
    place.write()
    with place.rows() as connection:  # so that the relay has something to say
        connection.execute(END_SESSION, [place.outbox.names.slot])


def _fill(pipe: Path) -> None:
    """Write to a pipe until it takes no more."""
    end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    try:
        with suppress(BlockingIOError):
            while True:
                os.write(end, LINE)
    finally:
        os.close(end)


def _end_relay(place: Ground) -> None:
    place.relays.pop().kill()
    place.end_beside()


DRILL = Drill(
    fault="what reads the relay's log hangs, and so does the relay",
    chapter="relay-stopped",
    delivery="relay",
    signal=FaultSignal(Detector.alert, "OutboxRelayStalled"),
    needs_prometheus=True,
    inject=_hang,
    steps=(
        Act("end the process of the relay that hangs", _end_relay),
        1,
        2,
        Act("start the relay as a service", Ground.start_relay),
        3,
    ),
    restore=Ground.end_beside,
)

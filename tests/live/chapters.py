"""Chapters of a generated runbook that are executed where no drill of the local stack can: with another database."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from outbox_kit.operate.drill.chapter_steps import chapter_steps
from outbox_kit.operate.drill.shell import Shell
from outbox_kit.operate.drill.watch import PrometheusWatch
from outbox_kit.render.runbook import runbook
from outbox_kit.schema.read import read
from outbox_kit.wire.routes import Routes
from tests.support.servers import promtool


@contextmanager
def watched(shell: Shell) -> Iterator[PrometheusWatch]:
    """A real Prometheus with the rules of `outbox.yaml`, for the length of a block."""
    watch = PrometheusWatch.begun(promtool.prometheus(), read(Path("outbox.yaml")).outboxes[0], shell, 1)
    try:
        yield watch
    finally:
        watch.close()


def executed(shell: Shell, chapter: str, steps: Sequence[int]) -> Mapping[str, int]:
    """Type the commands of some steps of a chapter, unchanged; their exit codes."""
    commands = chapter_steps(runbook(Routes(read(Path("outbox.yaml")).outboxes[0])), chapter)
    codes = {}
    for command in (command for step in steps for command in commands[step]):
        typed = shell.typed(command.line)
        assert typed.code in command.codes, typed.output
        codes[command.line] = typed.code
    return codes

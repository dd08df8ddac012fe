"""A stack that may be killed and frozen, in place of the one that all processes of a run share."""

from collections.abc import Iterator

import pytest

from outbox_kit.stack import Stack
from tests.support import stacks

FLUSH_MS = 1000  # as `stack up` has it: after a kill there are copies


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    with stacks.started(flush_ms=FLUSH_MS) as own:
        yield own

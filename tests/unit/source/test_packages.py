"""What is asked of one server can be asked of each: the packages have the same names."""

import re
from pathlib import Path

import pytest

import outbox_kit
from outbox_kit import source

TOOLKIT = Path(outbox_kit.__file__).parent
CALLERS = [path for room in ("cli", "doctor", "demo", "adopt", "verify") for path in (TOOLKIT / room).rglob("*.py")]
ASKED = {name for path in CALLERS for name in re.findall(r"\bprobe\.(\w+)\(", path.read_text())}
SLOTS = {"slot", "drop_slot"}  # only PostgreSQL has them


@pytest.mark.parametrize("dialect", source.PACKAGES)
def test_a_probe_answers_all_that_is_asked(dialect: str) -> None:
    probe = source.named(dialect).probe
    assert {"warnings", "heartbeat_age", "write_canary"} <= ASKED
    assert sorted(name for name in ASKED - SLOTS if not hasattr(probe, name)) == []

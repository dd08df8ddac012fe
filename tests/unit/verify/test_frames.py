"""Payloads in a registry's frame, where no registry is asked."""

import sys

import pytest

from outbox_kit.errors import UsageProblem
from outbox_kit.kafka import frame
from outbox_kit.verify.contract import contract
from tests.support.records import STRICT, Record, examined, named, outbox_of

FRAMED = {"payload": "bytes", "registry": "avro"}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b"\0\0\0\0\x07\x02", "schema id 7"),
        (b"\0\xff\xff\xff\xff{}", "schema id 4294967295"),
        (b"\1" + bytes(range(16)) + b"\x02", "schema 00010203-0405-0607-0809-0a0b0c0d0e0f"),
        (b"\0\0\0\0\x07", None),
        (b"\1" + bytes(16), None),
        (b"\2\0\0\0\x07\x02", None),
        (b'{"n": 1}', None),
        (b"", None),
    ],
)
def test_a_frame_names_its_schema(value: bytes, said: str | None) -> None:
    assert frame.schema(value) == said


@pytest.mark.parametrize("payload", [STRICT, None])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"\0\0\0\0\x07\x02", {}),
        (b'{"n": 1}', {"PAY-06": 1}),
        (b"\0\0\0\0\x07", {"PAY-06": 1}),
        (b"", {"PAY-06": 1}),
        (None, {"PAY-05": 1}),
    ],
)
def test_frames_are_seen_without_a_registry(payload: object, value: bytes | None, expected: dict[str, int]) -> None:
    outbox = outbox_of(payload, table=FRAMED)
    assert named(examined(outbox, Record(text=value))) == expected
    assert named(examined(outbox, Record(), *[Record(at=n, text=b"\0\0\0\0\x07\x02") for n in range(1, 9)])) == {
        "PAY-06": 1
    }


def test_a_frame_that_nobody_declared_is_named() -> None:
    (finding,) = examined(outbox_of(), Record(text=b"\0\0\0\0\x07\x02")).tally.findings
    assert (finding.id, finding.samples[0].actual) == ("PAY-06", "the wire format of a Schema Registry, schema id 7")


@pytest.mark.parametrize("url", ["localhost:8081", "mock://here", "http://", "http://me:secret@localhost:8081", ""])
def test_an_address_that_is_none_or_holds_a_password_is_refused(url: str) -> None:
    with pytest.raises(UsageProblem) as error:
        contract(outbox_of(table=FRAMED), url)
    assert "secret" not in "\n".join(error.value.lines())


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "outbox_kit.kafka.registry", None)
    with pytest.raises(UsageProblem) as error:
        contract(outbox_of(table=FRAMED), "http://localhost:8081")
    assert error.value.fix == "pip install 'outbox-kit[registry]'"


def test_an_outbox_without_frames_needs_no_registry() -> None:
    assert named(examined(outbox_of(), Record(), registry="http://127.0.0.1:1")) == {}

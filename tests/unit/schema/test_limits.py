"""No file can keep the reader busy or fill memory: each limit is said with its place, and work grows with the file."""

import cProfile
import gc
import json
import pstats
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from outbox_kit.errors import BadConfigFile, BadSchemaFile
from outbox_kit.lint import formats, run
from outbox_kit.lint.outboxes import from_schema_file
from outbox_kit.schema import coherence, yaml
from outbox_kit.schema.layers import Layers
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import MOST_OUTBOXES, SchemaFile, read
from outbox_kit.textfile import LARGEST

HEAD = "service: orders\ndatabase: {dialect: postgres}\n"
BOMB = "a: &a [x]\n" + "".join(
    f"{x}: &{x} [{', '.join([f'*{y}'] * 10)}]\n" for y, x in zip("abcdef", "bcdefg", strict=True)
)
EVENTS = "events: [{type: A, aggregate: B}]\n"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (BOMB + HEAD + EVENTS, 7, "with its aliases written out it has more than 500000 values"),
        ("a: &a {b: *a}\n", 1, "the alias '*a' stands within what it stands for"),
        (
            "a: &a [[[x]]]\n" + "".join(f"b{n}: &b{n} [{'*a' if not n else f'*b{n - 1}'}]\n" for n in range(120)),
            97,
            "nested too deeply",
        ),
        (f"a: &a '{'x' * 100_000}'\nb: [{', '.join(['*a'] * 400)}]\n", 2, "more than 500000 values"),
        (HEAD.replace("}", f", port: {'9' * 5000}}}") + EVENTS, 2, "a number of 5000 characters; the most is 100"),
        (HEAD + f"connect: {{topics: {{partitions: {'9' * 400}}}}}\n" + EVENTS, 3, "a number of 400 characters"),
    ],
    ids=["aliases", "a circle", "depth by aliases", "text by aliases", "port", "partitions"],
)
def test_what_is_beyond_a_limit_is_refused_at_its_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(text)
    with pytest.raises(BadSchemaFile, match="unsupported YAML") as refused:
        read(path)
    assert refused.value.where.startswith(f"{path}:{line}:") and why in refused.value.why
    with pytest.raises(BadConfigFile) as config:  # the same file as a connector's config
        formats.documents(text, "any")
    assert config.value.where.startswith(f"any:{line}:") and why in config.value.why


def test_a_date_that_does_not_exist_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(HEAD + "events: [{type: 2026-13-45, aggregate: B}]\n")
    with pytest.raises(BadSchemaFile, match="unsupported YAML") as refused:
        read(path)
    assert refused.value.where.startswith(f"{path}:3:") and "invalid timestamp" in refused.value.why


def test_aliases_within_the_limit_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(
        HEAD + "events:\n  - {type: A, aggregate: B, payload: &p {type: object}}\n"
        "  - {type: C, aggregate: B, payload: *p}\n"
    )
    assert [event.payload for event in read(path).outbox().events] == [{"type": "object"}] * 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("connect: {topics: {partitions: %s}}", 10**80),
        ("connect: {topics: {replication_factor: %s}}", 40_000),
        ("connect: {heartbeat_ms: %s}", 2**31),
        ("table: {keep_days: %s}", 10**9),
        ("connect: {debezium: '%s'}", "9" * 5000),
    ],
)
def test_a_number_that_nothing_takes_is_a_complaint(field: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(f"{HEAD}{field % value}\n{EVENTS}")
    with pytest.raises(BadSchemaFile, match="1 problem"):
        read(path)


def test_a_large_file_and_many_outboxes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text("# " + "x" * LARGEST)
    with pytest.raises(BadSchemaFile, match="too large"):
        read(path)
    path.write_text("---\na: b\n" * (MOST_OUTBOXES + 1))
    with pytest.raises(BadSchemaFile, match="too large") as refused:
        read(path)
    assert f"the maximum is {MOST_OUTBOXES}" in refused.value.why


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/stdin"])
def test_a_contract_is_a_file_and_no_device(device: str, tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(HEAD + f"events: [{{type: A, aggregate: B, payload: {device}}}]\n")
    with pytest.raises(BadSchemaFile) as refused:
        read(path)
    assert "not a regular file" in refused.value.details[0]


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_a_schema_file_may_be_json(indent: int | str | None, tmp_path: Path) -> None:
    path = tmp_path / "outbox.json"
    file = {"database": {"dialect": "postgres"}, "service": "orders", "events": [{"type": "A", "aggregate": "B"}]}
    path.write_text(json.dumps(file, indent=indent))
    assert formats.is_schema_file(path.read_text())
    assert read(path).outbox().service == "orders"
    for other in ({"connector.class": "x", "database": "d", "service": "s"}, {"name": "n", "config": {}}, [file]):
        assert not formats.is_schema_file(json.dumps(other))


def _outbox(count: int, **more: object) -> Outbox:
    events = [{"type": f"T{n}", "aggregate": "Order", **more} for n in range(count)]
    return Outbox.model_validate({"service": "s", "database": {"dialect": "postgres"}, "events": events})


def _calls(work: Callable[[], object]) -> int:
    """How many functions are called: the same on every machine."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def test_check_grows_with_the_number_of_events() -> None:
    run.check(from_schema_file(_file(_outbox(1)), None))  # what is read once
    files = [_file(_outbox(count)) for count in (250, 1000)]
    few, many = (_calls(lambda file=file: run.check(from_schema_file(file, None))) for file in files)  # type: ignore[misc]
    assert many < 4.5 * few, (few, many)  # 4 times as many events


def _file(outbox: Outbox) -> SchemaFile:
    (node,) = yaml.loaded("service: s\n")
    return SchemaFile(Path("x.yaml"), (outbox,), (Layers(Path("x.yaml"), node),))


def test_coherence_grows_with_the_number_of_events() -> None:
    small, large = (_outbox(count, follows=["T0"]) for count in (1500, 6000))

    def seconds(outbox: Outbox) -> float:
        begun = time.process_time()
        assert coherence.complaints(outbox) == []
        return time.process_time() - begun

    gc.disable()  # a collection looks at all objects of the process, however many the outbox has
    try:
        pairs = [(seconds(small), seconds(large)) for _ in range(7)]
    finally:
        gc.enable()
    few, many = (min(times) for times in zip(*pairs, strict=True))
    assert many < 10 * few, (few, many)  # by squares it is 16

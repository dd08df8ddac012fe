"""What findings and reports state: a payload's faults, the part that differs, the run's facts, the next command."""

import hashlib
import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from outbox_kit import __version__
from outbox_kit.connect.client import Connect
from outbox_kit.findings import formats
from outbox_kit.findings.finding import Collector, Finding, RecordLocation
from outbox_kit.findings.report import listed
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Cluster
from outbox_kit.verify.checks import CHECKS, Check
from outbox_kit.verify.provenance import provenance
from outbox_kit.verify.report import report
from outbox_kit.verify.request import Request
from outbox_kit.verify.result import Result, Timing
from tests.support.records import Record, examined, outbox_of
from tests.unit.verify.replays import judged

SECRET = "hunTer2zYgote9"  # noqa: S105
SCHEMA = {
    "type": "object",
    "required": ["currency", "amount"],
    "additionalProperties": False,
    "properties": {
        "currency": {"enum": ["EUR", "USD"]},
        "amount": {"type": "integer", "minimum": 1},
        "note": {"type": "string", "pattern": "^[a-z]+$"},
        "lines": {"type": "array", "items": {"type": "object", "required": ["sku"]}},
    },
}


def fault(payload: Any) -> str:
    (finding,) = findings(outbox_of(SCHEMA), Record(text=json.dumps(payload).encode()))
    assert finding.id == "PAY-02"
    return finding.samples[0].facts


def findings(outbox: Any, *records: Record) -> list[Finding]:
    return [found for found in examined(outbox, *records).tally.findings if found.severity == "error"]


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"amount": 1}, "OrderPlaced: required property 'currency' is missing"),
        ({}, "OrderPlaced: required property 'currency' is missing; required property 'amount' is missing"),
        ({"amount": SECRET, "currency": "EUR"}, "OrderPlaced: /amount is not of type integer"),
        ({"amount": 1, "currency": "EUR", "x": SECRET}, "OrderPlaced: the payload has undeclared properties: 'x'"),
        (
            {"amount": 1, "currency": "EUR", "lines": [{}]},
            "OrderPlaced: required property 'sku' is missing in /lines/0",
        ),
        ([SECRET], "OrderPlaced: the payload is not of type object"),
    ],
)
def test_a_payload_s_faults_are_named(payload: Any, text: str) -> None:
    assert fault(payload) == text


def test_a_payload_s_values_are_in_no_text() -> None:
    text = fault({"amount": 0, "currency": SECRET, "note": SECRET.upper()})
    assert SECRET.lower() not in text.lower()
    assert "/currency: the value is not one of" in text and "/note: the value does not match" in text


KEYWORDS: dict[str, Any] = {
    "additionalProperties": ({"additionalProperties": {"type": "integer"}}, {"n": SECRET}),
    "anyOf": ({"anyOf": [{"required": ["a"]}, {"properties": {"n": {"type": "null"}}}]}, {"n": SECRET}),
    "const": ({"properties": {"n": {"const": 1}}}, {"n": SECRET}),
    "contains": ({"properties": {"n": {"contains": {"type": "integer"}}}}, {"n": [SECRET]}),
    "dependentRequired": ({"dependentRequired": {"n": ["m"]}}, {"n": SECRET}),
    "if": ({"if": {"required": ["n"]}, "then": {"required": ["m"]}}, {"n": SECRET}),
    "maxItems": ({"properties": {"n": {"maxItems": 1}}}, {"n": [SECRET, SECRET]}),
    "maxLength": ({"properties": {"n": {"maxLength": 2}}}, {"n": SECRET}),
    "maxProperties": ({"maxProperties": 1}, {"n": SECRET, "m": SECRET}),
    "maximum": ({"properties": {"n": {"maximum": 2}}}, {"n": 8675309}),
    "minLength": ({"properties": {"n": {"minLength": 99}}}, {"n": SECRET}),
    "multipleOf": ({"properties": {"n": {"multipleOf": 2}}}, {"n": 8675309}),
    "not": ({"not": {"required": ["n"]}}, {"n": SECRET}),
    "oneOf": ({"oneOf": [{"required": ["n"]}, {"type": "object"}]}, {"n": SECRET}),
    "prefixItems": ({"properties": {"n": {"prefixItems": [{"type": "null"}]}}}, {"n": [SECRET]}),
    "uniqueItems": ({"properties": {"n": {"uniqueItems": True}}}, {"n": [SECRET, SECRET]}),
}


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_the_text_of_no_keyword_contains_a_value(keyword: str) -> None:
    schema, payload = KEYWORDS[keyword]
    (finding,) = findings(outbox_of({"type": "object", **schema}), Record(text=json.dumps(payload).encode()))
    assert finding.id == "PAY-02"
    for name in formats.names():
        page = formats.render(name, report(Result("shop", findings=[finding])))
        assert SECRET not in page and "8675309" not in page


def test_of_many_faults_the_first_are_named() -> None:
    text = fault({"amount": "x", "currency": 1, "note": 1, "lines": 1, "more": 1})
    assert text.count(";") == 3 and text.endswith("; and more")


def test_a_key_s_partition_is_compared_with_the_number_in_the_schema_file() -> None:
    declared = outbox_of(connect={"topics": {"partitions": 4}})
    key = next(key for n in range(99) if partition_of(key := str(n).encode(), 4) not in (partition_of(key, 3), 3))
    record = Record(named=key)
    found = examined(declared, record, partition=partition_of(key, 4)).tally.findings
    (finding,) = [one for one in found if one.id == "KEY-04"]
    assert finding.samples[0].expected == f"partition {partition_of(key, 3)} of 3"
    assert finding.samples[0].actual.endswith("which is right for the 4 partitions of the schema file")


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"text": b'{"n": 2}'}, "another payload"),
        ({"changes": (("sequence", b"9"),)}, "another header"),
        ({"text": b'{"n": 2}', "changes": (("sequence", b"9"),)}, "another header and payload"),
    ],
)
def test_of_two_messages_with_one_id_the_part_that_differs_is_named(changes: dict[str, Any], part: str) -> None:
    one = Record(number=1)
    *_, found = judged([one, replace(one, at=1, **changes)])
    (finding,) = [one for one in found if one.id == "DUP-03"]
    assert finding.samples[0].actual == part


def test_a_report_states_what_was_examined_and_no_password(tmp_path: Path) -> None:
    schema = tmp_path / "outbox.yaml"
    schema.write_text("service: shop\n")
    request = Request(
        outbox_of(),
        Cluster("kafka.example:9092", {"sasl.password": SECRET}),
        dsn=f"postgresql://me:{SECRET}@db.example:5433/shop",
        connect=Connect(f"http://me:{SECRET}@connect.example:8083"),
    )
    result = Result("shop", timing=Timing(began_ms=1_795_168_800_123))
    about = provenance(request, result, schema)
    assert about == {
        "date": "2026-11-20 10:00:00 UTC",
        "outbox-kit": __version__,
        "schema file": str(schema),
        "schema file sha256": hashlib.sha256(schema.read_bytes()).hexdigest(),
        "kafka": "kafka.example:9092",
        "database": "PostgreSQL at db.example:5433, database shop",
        "kafka connect": "http://connect.example:8083",
        "connector": "shop-outbox",
    }
    whole = report(result, about=about)
    for name in formats.names():
        assert SECRET not in formats.render(name, whole)
    run = json.loads(formats.render("json", whole))["run"]
    assert (run["kafka"], run["outbox_kit"]) == ("kafka.example:9092", __version__)
    page = formats.render("html", whole)
    assert all(f"<dd>{fact}</dd>" in page for fact in about.values())


def test_the_page_names_the_next_command_of_each_finding() -> None:
    found = examined(outbox_of(SCHEMA), Record(at=7, text=b"{}")).tally.findings
    result = Result("shop", findings=[finding for finding in found if finding.id == "PAY-02"])
    page = formats.render("html", report(result))
    assert "<b>Next:</b> fix the producer, or relax the schema" in page
    assert re.search(r"<code>outbox-kit verify inspect shop\.Order-\d@7</code>", page)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_a_finding_on_the_page_has_its_next_step(check: Check) -> None:
    found = Collector(5, CHECKS.get)
    found.add(check, RecordLocation("shop.Order", 1, 7), "one", "another")
    page = html.unescape(formats.render("html", report(Result("shop", findings=list(found)))))
    assert f"<b>Next:</b> {check.fix}" in re.sub("</?code>", "", page)
    inspected = "outbox-kit verify inspect shop.Order-1@7" in page
    assert inspected is (check.id != "RUN-04")  # whose offset is that of no message


def test_every_finding_of_a_check_states_the_violation_and_its_title_the_condition() -> None:
    for check in CHECKS:
        assert check.problem and check.problem != check.title, check.id
        assert check.why.endswith(".") and not check.fix.endswith("."), check.id


def test_consecutive_checks_are_listed_as_a_range() -> None:
    assert listed(["CE-01", "CE-02", "CE-03", "PAY-07", "PAY-08"]) == "CE-01 to CE-03, PAY-07, PAY-08"
    assert listed(["errors-tolerance-all", "no-key"]) == "errors-tolerance-all, no-key"

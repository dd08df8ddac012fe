"""The parts of the coordinator that need no server: its document, the times of check-backs, what an answer means."""

import contextlib
import json
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openapi_spec_validator import validate

from outbox_kit.coordinator import backoff, openapi
from outbox_kit.coordinator.allowed import allowed, expect_permitted, permits
from outbox_kit.coordinator.documents import check_back_url
from outbox_kit.coordinator.outcomes import DTM_WORDS, CheckBackAnswer, TransactionOutcome, result
from outbox_kit.coordinator.problems import InvalidRequest
from outbox_kit.databases.two_phase import CheckBackProtocol
from outbox_kit.errors import UsageProblem
from tests.support.cli import invoke

OUTCOMES = {TransactionOutcome.committed, TransactionOutcome.rolled_back}


def test_the_document_is_valid_openapi() -> None:
    document = json.loads(invoke("coordinator", "openapi").stdout)
    validate(document)
    assert {"/v1/messages/{message_id}/prepare", "/api/dtmsvr/prepare"} <= {*document["paths"]}
    assert document["components"]["schemas"].keys() == openapi.schemas().keys()


def test_check_backs_come_less_and_less_often_up_to_a_limit() -> None:
    delays = [backoff.delay_seconds(attempt, 1.0) for attempt in range(1, 2000)]
    assert delays[:3] == [3.0, 6.0, 12.0] and delays[-1] == backoff.MOST_SECONDS
    assert all(before <= after for before, after in pairwise(delays))
    assert backoff.delay_seconds(4, 0.0) == backoff.delay_seconds(4, 1.0) * backoff.LEAST_SHARE


@given(st.sampled_from(CheckBackProtocol), st.integers(0, 599), st.text() | st.binary(), st.text())
def test_no_random_answer_is_an_outcome(protocol: CheckBackProtocol, status: int, body: str | bytes, kind: str) -> None:
    content = body.encode(errors="replace") if isinstance(body, str) else body
    meaning = result(protocol, CheckBackAnswer(status, kind, content))
    if meaning.outcome in OUTCOMES:  # of DTM's clients, by the whole of a document
        assert protocol is CheckBackProtocol.dtm and (status == 409 or json.loads(content) is None)
    else:
        assert meaning.reason and "\n" not in meaning.reason


@pytest.mark.parametrize("word", [*TransactionOutcome, *DTM_WORDS])
def test_a_word_within_a_text_is_no_outcome(word: str) -> None:
    texts = (word, f"<html>{word}</html>", json.dumps([word]), json.dumps({"error": word}), f'{{"outcome": "x{word}"}}')
    for text in texts:
        for protocol in CheckBackProtocol:
            meaning = result(protocol, CheckBackAnswer(200, "application/json", text.encode()))
            assert meaning.outcome is TransactionOutcome.unknown and meaning.finding, text


def test_a_refused_database_leads_to_those_that_have_the_script(tmp_path: Path) -> None:
    file = tmp_path / "outbox.yaml"
    file.write_text("service: shop\ndatabase: {dialect: oracle}\nevents: [{type: A, aggregate: B}]\n")
    assert "there is one: PostgreSQL, MySQL, MariaDB\n" in invoke("gen-ddl", str(file), "--coordinator", code=2).stderr
    file.write_text(file.read_text().replace("oracle", "mongodb"))
    assert (
        "there is one: PostgreSQL, MySQL, MariaDB, SQL Server, Oracle\n"
        in invoke("gen-ddl", str(file), "--barrier", code=2).stderr
    )


PREFIXES = [
    allowed(text) for text in ("HTTP://Orders.internal/outcome/", "https://[2001:DB8:0::1]:8443", "http://10.0.0.5")
]


@pytest.mark.parametrize(
    "url",
    [
        "http://orders.internal/outcome",
        "http://ORDERS.internal:80/outcome/of?id=1",
        "https://[2001:db8::1]:8443/any/thing",
        "http://10.0.0.5",
    ],
)
def test_an_allowed_address_is_called(url: str) -> None:
    assert permits(PREFIXES, url) and permits([], url)


@pytest.mark.parametrize(
    "url",
    [
        "https://orders.internal/outcome",  # another scheme
        "http://orders.internal:8080/outcome",  # another port
        "http://orders.internal/outcomes",
        "http://orders.internal/",
        "http://orders.internal/outcome/../admin",
        "http://orders.internal/outcome/%2e%2E/admin",
        "http://orders.internal/outcome/%252e%252e/admin",
        "http://orders.internal/outcome/..%2fadmin",
        "http://orders.internal/outcome/..\\admin",
        "http://orders.internal//outcome/x",
        "http://orders.internal./outcome",
        "http://orders.internal.evil.example/outcome",
        "http://evil.example/outcome?http://orders.internal/outcome",
        "http://evil.example\\.orders.internal/outcome",
        "http://orders%2einternal/outcome",
        "http://\u24d4rders.internal/outcome",
        "https://[2001:db8::1]/",
        "https://[2001:db8::2]:8443/",
        "http://[::ffff:10.0.0.5]/",
        "http://10.0.5/",
        "http://167772165/",
        "http://0x0a000005/",
        "http://127.0.0.1/",
    ],
)
def test_another_address_is_not_called(url: str) -> None:
    assert not permits(PREFIXES, url)
    with pytest.raises(InvalidRequest, match="this coordinator may not call"):
        expect_permitted(PREFIXES, url, "check_back")


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "orders.internal",
        "ftp://h",
        "http://",
        "http://u:p@h",
        "http://h/?x",
        "http://h/#x",
        "http://h/../x",
        "http://h:x",
    ],
)
def test_a_prefix_that_names_no_server_is_refused(prefix: str) -> None:
    with pytest.raises(UsageProblem, match="invalid --allow-check-back"):
        allowed(prefix)


@given(st.text())
def test_no_random_address_is_called(text: str) -> None:
    with contextlib.suppress(InvalidRequest):
        url = check_back_url(f"http://{text}", "check_back")
        if permits(PREFIXES, url):
            assert urlsplit(url).hostname in {"orders.internal", "10.0.0.5"}

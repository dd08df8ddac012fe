"""Every report: each check is passed, found or not checked in it, and nothing in a message can break or steer it."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as xml

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from outbox_kit.findings.finding import RUN, Collector, RecordLocation
from outbox_kit.findings.verdict import Verdict
from outbox_kit.verify import needs, unmet
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.contract import contract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.reading.captured import CapturedLog
from outbox_kit.verify.request import Request
from outbox_kit.verify.result import AggregateTrace, Coverage, Result
from outbox_kit.verify.run import Verification
from tests.support.records import outbox_of
from tests.support.reports import FORMATS, outcome, rendered

States = dict[str, set[str]]  # of each check; one, where a report is right
ID = r"\b(?:RTE|KEY|HDR|CE|PAY|ORD|DUP|LOS|LAT|CFG|RUN)-\d\d\b"


def report(*found: tuple[str, str], missing: frozenset[Need] = frozenset(), topic: str = "t") -> Result:
    """A run with findings, by check and topic, and without some needs."""
    findings = Collector(5, CHECKS.get)
    for check, where in found:
        findings.add(
            CHECKS.get(check), RecordLocation(where, 1, 7) if where != "*" else RecordLocation("*"), "one", "another"
        )
    unmet = {"*": missing, topic: missing}
    counts = {topic: 1}
    return Result(
        "shop",
        Verdict.failed,
        list(findings),
        counts,
        counts,
        recognised=counts,
        verified=counts,
        coverage=Coverage(unmet=unmet),
    )


def junit(text: str) -> list[States]:
    root = xml.fromstring(text.split("\n", 1)[1])  # noqa: S314 - our own
    every = []
    for suite in root.iter("testsuite"):
        states: States = {}
        for case in suite.iter("testcase"):
            inner = {child.tag for child in case}
            state = "not checked" if "skipped" in inner else "found" if inner else "passed"
            states.setdefault((case.get("name") or "").split(" ")[0], set()).add(state)
        counted = {"skipped": "not checked", "failures": "found"}
        assert int(suite.get("skipped") or -1) == sum("not checked" in state for state in states.values()), counted
        every.append(states)
    return every


def ctrf(text: str) -> list[States]:
    by_suite: dict[str, States] = {}
    for test in json.loads(text)["results"]["tests"]:
        state = "not checked" if test["status"] == "skipped" else "found" if "trace" in test else "passed"
        by_suite.setdefault(test["suite"][0], {}).setdefault(test["name"].split(" ")[0], set()).add(state)
    return list(by_suite.values())


def html(text: str) -> list[States]:
    states: States = {}
    for shown, check in re.findall(
        r'<li class="found [^>]*><span class="(\w+)">[^<]*</span><b>([A-Z]+-\d\d)</b>', text
    ):
        state = {"pass": "passed", "unchecked": "not checked"}.get(shown, "found")
        states.setdefault(check, set()).add(state)
    return [states]


def document(raw: Mapping[str, Any], found: list[str]) -> list[States]:
    states: States = {}
    for name, checks in (("passed", raw["passed"]), ("not checked", raw["not_checked"]), ("found", set(found))):
        for check in checks:
            states.setdefault(check, set()).add(name)
    assert sorted(one for several in raw["not_checked_because"].values() for one in several) == raw["not_checked"]
    return [states]


def plain(text: str) -> list[States]:
    """Of what a person reads: what is neither a finding nor named as not checked has passed."""
    lines = re.findall(r"^\W*[Nn]ot (?:checked|applicable): (.*)$", text, re.MULTILINE)
    skipped = [check for line in lines for check in expanded(re.sub(r"\([^()]*\)", "", line))]
    headings = re.findall(rf"^(?:### \S+ \[?|error |warning |inconclusive |info )({ID})", text, re.MULTILINE)
    return told(skipped, headings)


def expanded(line: str) -> list[str]:
    """The ids in a line, with those of its ranges, such as `CE-01 to CE-08`."""
    checks = list(CHECKS.rules)
    ranges = re.findall(rf"({ID}) to ({ID})", line)
    between = [check for first, last in ranges for check in checks[checks.index(first) : checks.index(last) + 1]]
    return between + re.findall(ID, re.sub(rf"{ID} to {ID}", "", line))


def github(text: str) -> list[States]:
    remark = re.findall(r"title=\d+ rules were not checked::(.*)", text)
    skipped = re.findall(ID, " ".join(line.partition(":")[0] for one in remark for line in one.split("%0A")))
    return told(skipped, re.findall(rf"title=({ID})", text))


def told(skipped: list[str], found: list[str]) -> list[States]:
    assert max(Counter(skipped).values(), default=1) == 1
    states: States = {check: {"not checked"} for check in skipped}
    for check in found:
        states.setdefault(check, set()).add("found")
    return [{check: states.get(check, {"passed"}) for check in CHECKS.rules}]


def sarif(text: str) -> list[States]:
    (run,) = json.loads(text)["runs"]
    skipped = [one["descriptor"]["id"] for one in run["invocations"][0]["toolConfigurationNotifications"]]
    return told(skipped, [result["ruleId"] for result in run["results"]])


READERS: dict[str, Callable[[str], list[States]]] = {
    "text": plain,
    "markdown": plain,
    "github": github,
    "junit": junit,
    "ctrf": ctrf,
    "html": html,
    "sarif": sarif,
    "json": lambda text: document(json.loads(text), [one["id"] for one in json.loads(text)["findings"]]),
    "ndjson": lambda text: document(
        json.loads(text.splitlines()[0]), [json.loads(line)["id"] for line in text.splitlines()[1:]]
    ),
}


def test_every_format_has_a_reader_here() -> None:
    assert READERS.keys() == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(CHECKS.rules)), st.sampled_from(["t", "u", "*"])), max_size=6),
    st.frozensets(st.sampled_from(list(Need)), max_size=4),
)
@settings(max_examples=25)
def test_each_check_is_passed_or_found_or_not_checked(
    name: str, found: list[tuple[str, str]], missing: frozenset[Need]
) -> None:
    own = report(*found, missing=missing)
    for states in READERS[name](rendered(name, own)):
        assert states.keys() == CHECKS.rules.keys()
        assert all(len(state) == 1 for state in states.values())
        unmade = {check.id for check in CHECKS if check.needs & missing}
        assert not {check for check, state in states.items() if "passed" in state} & unmade
    if name not in ("junit", "ctrf"):  # the others speak of the run
        (states,) = READERS[name](rendered(name, own))
        assert {check.id: {outcome(own, check.id)} for check in CHECKS} == states


@pytest.mark.parametrize("name", FORMATS)
def test_a_report_of_a_run_that_never_ended_has_passed_nothing(name: str) -> None:
    for states in READERS[name](rendered(name, Result("shop"))):
        assert set().union(*states.values()) == {"not checked"}


def test_every_need_is_needed() -> None:
    assert set().union(*(check.needs for check in CHECKS)) == set(Need) == set(needs.NOTHING_MET)
    assert all(Need.finished in check.needs for check in CHECKS)


@pytest.mark.parametrize("name", FORMATS)
def test_every_report_names_every_group(name: str) -> None:
    text = rendered(name, report(missing=frozenset(Need)))
    named = {check.group for check in CHECKS if check.group.title in text or re.search(rf"\b{check.id}", text)}
    assert named == {check.group for check in CHECKS}


# what was counted as passed without that which it takes
WITHOUT = {
    "table": {
        "KEY-02",
        "HDR-06",
        "LOS-01",
        "LOS-03",
        "LOS-04",
        "LOS-06",
        "LOS-07",
        "PAY-12",
        "LAT-01",
        "LAT-03",
        "RUN-10",
    },
    "registry": {"RUN-12"},
    "connect": {"CFG-01", "CFG-02", "CFG-03"},
    "settings": {"CFG-04", "CFG-05"},
    "rules": {"PAY-07"},
    "schema": {"PAY-02", "PAY-10", "PAY-11"},
    "cloudevents": {check for check in CHECKS.rules if check.startswith("CE-")},
    "follow": {"RUN-13"},
    "steps": {"ORD-02"},
    "dense": {"LOS-02"},
    "traceparent": {"HDR-07"},
}


@pytest.mark.parametrize("name", FORMATS)
def test_without_ledger_registry_goal_and_the_rest_none_of_their_checks_has_passed(name: str) -> None:
    own = outbox_of(None)
    found = Verification(Request(own, CapturedLog(own, []), None), lambda _: None).run()
    for states in READERS[name](rendered(name, found)):
        unmade = {check for several in WITHOUT.values() for check in several}
        assert {check for check in unmade if states[check] != {"not checked"}} == set()


def met(changes: dict[str, Any], *needs: Need) -> set[str]:
    """The checks that were made, of an outbox with these changes, by a run that met these needs."""
    own = outbox_of(**changes)
    request = Request(own, CapturedLog(own, []), None)
    there = {"t": 1}
    done = Result("shop", topics=there, partitions=there, recognised=there, verified=there)
    done.coverage.met |= {Need.finished, *needs}
    done.coverage.unmet = unmet.unmet(request, contract(own), done)
    return CHECKS.rules.keys() - done.unchecked().keys()


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({"cloudevents": {"source": "/"}}, {"CE-01", "CE-02", "CE-03", "CE-04", "CE-06", "CE-07"}),
        ({"cloudevents": {"mode": "structured"}}, {"CE-01", "CE-02", "CE-05", "CE-06", "CE-07"}),
        (
            {"events": [{"type": "A", "aggregate": "Order", "rules": ["payload.n > 0"], "follows": []}]},
            {"PAY-07", "ORD-02", "RUN-16"},
        ),
        ({"table": {"extra": [{"name": "traceparent"}]}}, {"HDR-07"}),
    ],
)
def test_what_the_schema_file_declares_is_checked(changes: dict[str, Any], more: set[str]) -> None:
    plain = {"events": [{"type": "A", "aggregate": "Order"}]}
    assert met(plain | changes) - met(plain) == more


def test_without_numbers_or_readable_payloads_what_is_about_them_is_not_checked() -> None:
    assert met({}) - met({"ordering": {"sequence": None}}) == {"ORD-01", "ORD-03", "DUP-04"}
    documents = {f"PAY-{n:02}" for n in (1, 2, 3, 4, 6, 8, 9, 10, 11, 13)} | {"RUN-16"}
    assert met({}) - met({"table": {"payload": "bytes", "registry": "avro"}}) == documents


def test_what_was_done_is_what_the_run_says_it_did() -> None:
    assert met({}, Need.table) - met({}) == {"LOS-03", "LOS-07"}
    assert met({}, Need.table, Need.young) - met({}, Need.table) == {"LOS-01", "LOS-06"}
    rows = (Need.table, Need.row_key, Need.row_type, Need.row_payload)
    assert met({}, *rows) - met({}, Need.table) == {"KEY-02", "HDR-06", "PAY-12"}
    assert met({}, Need.connector) - met({}) == {"CFG-01", "CFG-02", "CFG-03"}
    assert met({}, Need.arrival) - met({}) == {"RUN-10"}


def test_a_topic_that_could_not_be_read_has_passed_nothing_that_is_about_its_records() -> None:
    findings = Collector(5, CHECKS.get)
    findings.add(CHECKS.get("RUN-07"), RecordLocation("t", 0), "its records", "no right")
    there = {"t": 1, "u": 1}
    own = outbox_of(None)
    done = Result("shop", findings=list(findings), topics=there, partitions=there, recognised=there, verified=there)
    done.coverage.met |= {Need.finished}
    done.coverage.unmet = unmet.unmet(Request(own, CapturedLog(own, []), None), contract(own), done)
    assert outcome(done, "KEY-03", "t") == outcome(done, "KEY-03") == "not checked"
    assert outcome(done, "KEY-03", "u") == "passed"


# hostile text


HOSTILE = [
    "\x1b[2J",
    "\x00",
    "\r\n::error::x",
    "\ud800",
    "\u202e",
    "]]>",
    "<script>",
    "`|`",
    "@you",
    "'\"&",
    "\x85",
    "￿",
]
TEXTS = (
    st.lists(st.sampled_from(HOSTILE) | st.characters(), min_size=1, max_size=6)
    .map("".join)
    .filter(lambda text: text != RUN)
)
"""Hostile texts. RUN is the subject of a finding about the run, and not a name that Kafka allows."""
SHOWN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def hostile(text: str) -> Result:
    """A report in which a text stands wherever somebody else may have written."""
    found = report(("KEY-03", text), topic=text)
    findings = [
        replace(one, samples=[replace(sample, expected=text, actual=text) for sample in one.samples])
        for one in found.findings
    ]
    traces = [AggregateTrace(text, 0, text, [(1, 1, "fresh"), (2, 2, "late")])]
    return replace(found, service=text, findings=findings, notes=[text], traces=traces)


class Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - the parser's
        self.tags[tag] += 1


def shape(page: str) -> Counter[str]:
    parser = Tags()
    parser.feed(page)
    return parser.tags


def parsed(page: str) -> list[tuple[str, list[str]]]:
    """What a page of Markdown is made of, without its texts."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(page)
    return [(token.type, [child.type for child in token.children or ()]) for token in tokens]


PLAIN = {name: rendered(name, hostile("x")) for name in FORMATS}


@given(TEXTS)
@settings(max_examples=60)
def test_whatever_stands_in_a_message_every_report_is_what_it_is(text: str) -> None:
    texts = {name: rendered(name, hostile(text)) for name in FORMATS}
    for name, told in texts.items():
        assert not SHOWN.search(told), name
        told.encode()
    states = junit(texts["junit"])
    assert all(state.keys() == CHECKS.rules.keys() for state in states)
    for found in (texts["json"], texts["ctrf"], texts["sarif"], *texts["ndjson"].splitlines()):
        orjson.loads(found)  # which is strict
    assert len(texts["ndjson"].split("\n")) == 3
    assert shape(texts["html"]) == shape(PLAIN["html"])
    assert [line.split(" ")[0] for line in texts["github"].splitlines()] == ["::error", "::notice"]
    assert len(texts["text"].splitlines()) == len(PLAIN["text"].splitlines())
    assert parsed(texts["markdown"]) == parsed(PLAIN["markdown"])


@given(TEXTS)
@settings(max_examples=50)
def test_what_a_program_reads_is_what_was_there(text: str) -> None:
    (sample,) = json.loads(rendered("json", hostile(text)))["findings"][0]["samples"]
    lone = re.compile("[\ud800-\udfff]")
    assert sample["actual"] == lone.sub(lambda one: f"\\u{ord(one[0]):04x}", text)


@pytest.mark.parametrize("name", FORMATS)
def test_every_report_says_what_was_not_checked(name: str) -> None:
    own = report(missing=frozenset({Need.table}))
    assert "; not checked: loss" in rendered(name, own)

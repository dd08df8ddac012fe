"""What a verification reports."""

import json
from typing import Any

from outbox_kit.verify.request import Request
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from tests.support.reports import rendered


def found(report: Result) -> dict[tuple[str, str], str]:
    """What is wrong, by check and topic, in the words of the first place where it is."""
    return {(one.id, one.subject): one.samples[0].actual for one in report.findings if one.id != "RUN-11"}


def report_of(request: Request) -> dict[str, Any]:
    """The JSON report, but for what is of the run alone."""
    report = json.loads(rendered("json", Verification(request, lambda _: None).run()))
    return {name: value for name, value in report.items() if name != "run"}

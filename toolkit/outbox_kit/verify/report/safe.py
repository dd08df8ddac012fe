"""A report whose every text is safe for a format: topics, keys and headers may hold anything. Pure."""

from collections.abc import Callable
from dataclasses import replace

from outbox_kit.finding import Finding, Sample
from outbox_kit.verify.result import Report

Clean = Callable[[str], str]


def safe(report: Report, clean: Clean) -> Report:
    """The report with every text cleaned."""
    return replace(
        report,
        service=clean(report.service),
        findings=[_finding(one, clean) for one in report.findings],
        topics={clean(topic): count for topic, count in report.topics.items()},
        partitions={clean(topic): count for topic, count in report.partitions.items()},
        unmet={clean(topic): needs for topic, needs in report.unmet.items()},
        notes=[clean(note) for note in report.notes],
        trails=[replace(one, topic=clean(one.topic), key=clean(one.key)) for one in report.trails],
        file=clean(report.file),
    )


def _finding(one: Finding, clean: Clean) -> Finding:
    return replace(one, topic=clean(one.topic), samples=[_sample(sample, clean) for sample in one.samples])


def _sample(one: Sample, clean: Clean) -> Sample:
    place = replace(one.place, topic=clean(one.place.topic))
    return replace(one, place=place, expected=clean(one.expected), actual=clean(one.actual))

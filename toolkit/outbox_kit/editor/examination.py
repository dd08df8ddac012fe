"""What `check` says of a text that is being written: remarks, corrections and explanations. Nothing is raised here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from outbox_kit.editor.places import Span, change, marked, plain_lines, with_newlines, word_at
from outbox_kit.errors import NoConnector, OutboxKitError
from outbox_kit.explain import options
from outbox_kit.findings.documentation import rule_url
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import run
from outbox_kit.lint.fix_plan import FilePlan, is_safe, planned
from outbox_kit.lint.rule import Edit
from outbox_kit.lint.settings import FileSettings
from outbox_kit.lint.settings_files import SettingsFiles
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.subjects import with_peers
from outbox_kit.lint.texts import concerns, from_text

PLACE = lazy_pattern(r"^\s*(?P<file>.*?):(?P<line>\d+)(?::(?P<column>\d+))?(?:: (?P<text>.*))?$")


@dataclass(frozen=True)
class Remark:
    """A finding, or a reason why the text cannot be examined, at a place of the text."""

    span: Span
    severity: Severity
    rule: str
    """The rule's id; empty if the text cannot be examined."""
    text: str
    url: str
    """Where the rule is documented; empty without a rule."""


@dataclass(frozen=True)
class Correction:
    """A change of the text."""

    title: str
    span: Span
    """What is replaced."""
    text: str
    """What takes its place."""
    safe: bool
    remarks: tuple[Remark, ...]
    """What the change corrects."""


@dataclass(frozen=True)
class EditorReport:
    """The result for a text."""

    remarks: tuple[Remark, ...] = ()
    corrections: tuple[Correction, ...] = ()
    """One for each finding that has a fix."""
    everything: Correction | None = None
    """All safe corrections as one change; None if there is none."""


def examined(text: str, path: Path, env: str | None = None) -> EditorReport:
    """Examine a text. Of a text without a connector config, nothing is remarked.

    path: of the file, by which its settings file is found. env: the environment of a schema file.
    """
    text = with_newlines(text)
    lines = plain_lines(text)
    try:
        return _examined(text, lines, path, env) if concerns(text) else EditorReport()
    except NoConnector:
        return EditorReport()
    except OutboxKitError as error:
        return EditorReport(tuple(_of_error(error, lines, path)))
    except Exception as defect:  # a defect of a rule must not end the session
        what = f"outbox-kit cannot check this text: {type(defect).__name__}; please report it"
        return EditorReport((Remark(marked(lines, 1, 1), Severity.error, "", what, ""),))


def _examined(text: str, lines: Sequence[str], path: Path, env: str | None) -> EditorReport:
    files, name = SettingsFiles(), str(path)
    settings: FileSettings = files.of(path)
    if settings.file and path.is_absolute() and files.excluded(path):
        return EditorReport()
    subjects = with_peers(from_text(text, name, settings.release, env))
    findings = [
        finding for finding in run.check(subjects, None, lambda _: files.policy_of(path)) if not finding.accepted
    ]
    remarks = [_remark(finding, lines) for finding in findings]
    corrections = list(_corrections(findings, remarks, subjects, name, text))
    safe = [finding for finding in findings if is_safe(finding)]
    plans = planned(safe, subjects, {name: text}, unsafe=False)
    fixed_remarks = tuple(remark for each in corrections if each.safe for remark in each.remarks)
    everything = _correction("outbox-kit: apply all safe fixes", plans, fixed_remarks, safe=True)
    return EditorReport(tuple(remarks), tuple(corrections), everything)


def _remark(finding: Finding, lines: Sequence[str]) -> Remark:
    place = finding.location
    span = marked(lines, place.line, place.column) if place else marked(lines, 1, 1)
    text = "\n".join([finding.text, *finding.details, f"fix: {finding.fix}"])
    return Remark(span, finding.severity, finding.id, text, rule_url(finding.rule))


def _corrections(
    findings: Sequence[Finding], remarks: Sequence[Remark], subjects: Sequence[Subject], name: str, text: str
) -> Iterator[Correction]:
    for finding, remark in zip(findings, remarks, strict=True):
        if not finding.facts.get("edit"):
            continue
        plans = planned([finding], subjects, {name: text}, unsafe=True)
        title = _title(Edit(**finding.facts["edit"])) + ("" if is_safe(finding) else " (changes the behaviour)")
        if correction := _correction(title, plans, (remark,), safe=is_safe(finding)):
            yield correction


def _correction(title: str, plans: Sequence[FilePlan], remarks: tuple[Remark, ...], *, safe: bool) -> Correction | None:
    """A change from the plan of a file; None without a plan."""
    if not plans:
        return None
    span, text = change(plans[0].before, plans[0].after)
    return Correction(title, span, text, safe, remarks)


def _title(edit: Edit) -> str:
    if edit.rename is not None:
        return f"Rename {edit.key} to {edit.rename}"
    return f"Remove {edit.key}" if edit.value is None else f"Set {edit.key}={edit.value}"


def _of_error(error: OutboxKitError, lines: Sequence[str], path: Path) -> Iterator[Remark]:
    """The mistakes of a text that cannot be examined: each that has a place in it, or else one remark."""
    places = [(match, match["text"]) for match in map(PLACE.match, error.details) if match]
    in_text = [(match, text) for match, text in places if match["file"].strip() == str(path) and text]
    for match, text in in_text:
        span = marked(lines, int(match["line"]), int(match["column"] or 1))
        yield Remark(span, Severity.error, "", text, "")
    if not in_text:
        place = PLACE.match(error.where)
        inside = place is not None and place["file"] == str(path)
        line, column = (int(place["line"]), int(place["column"] or 1)) if place and inside else (1, 1)
        facts = [
            error.what,
            "" if inside else error.where,
            error.why,
            error.fix and f"fix: {error.fix}",
            *error.details,
        ]
        text = "\n".join(filter(None, (fact.strip() for fact in facts)))
        yield Remark(marked(lines, line, column), Severity.error, "", text, "")


@dataclass(frozen=True)
class Explanation:
    """What is known of an option."""

    span: Span
    text: str


def explained(text: str, path: Path, line: int, column: int, env: str | None = None) -> Explanation | None:
    """What `outbox-kit explain` says of the option whose key is at a place; None where there is none.

    line, column: from 0. path, env: as for `examined`.
    """
    lines = plain_lines(with_newlines(text))
    word = word_at(lines, line, column)
    if word is None:
        return None
    key = _key_at(with_newlines(text), path, env, line, word)
    described = options.text(key) if key else ""
    start = word[1]
    return Explanation(Span(line, start, line, start + len(word[0])), described) if described else None


def _key_at(text: str, path: Path, env: str | None, line: int, word: tuple[str, int]) -> str | None:
    """The option's name of a key, as Kafka Connect has it; the word itself in a text that cannot be read."""
    name, start = word
    try:
        subjects = from_text(text, str(path), None, env) if concerns(text) else []
    except Exception:  # it is being written
        return name
    for subject in subjects:
        for key, (at_line, at_column) in subject.document.spots.items():
            if at_line == line + 1 and start - 1 <= at_column - 1 <= start:  # the place of a key may be its quote's
                return key
    return None

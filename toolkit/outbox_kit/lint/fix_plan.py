"""What the fixes of findings would make of files: planned once, then shown as a diff, applied or counted. Pure."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from outbox_kit.findings.finding import Finding
from outbox_kit.lint.document import Document
from outbox_kit.lint.fix import fixed
from outbox_kit.lint.rule import Edit
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.subjects import by_file
from outbox_kit.printable import counted

NO_NEWLINE = "\n\\ No newline at end of file\n"


@dataclass(frozen=True)
class FilePlan:
    """The fixes of one file."""

    source: str
    """The file's name."""
    before: str
    after: str
    edits: tuple[Edit, ...]
    """The edits that the text after has, in their order."""


@dataclass(frozen=True)
class Fixable:
    """How many findings have a fix that can be applied."""

    safe: int
    unsafe: int
    """Those whose fix changes more than the finding is about."""

    def sentence(self) -> str:
        """The counts for a report; empty if there is nothing to fix."""
        if not self.unsafe:
            return f"--fix corrects {counted(self.safe, 'finding')}" if self.safe else ""
        unsafe = f"--fix --unsafe-fixes corrects {counted(self.safe + self.unsafe, 'finding')}"
        return f"{unsafe}, --fix alone {self.safe}" if self.safe else unsafe


def is_safe(finding: Finding) -> bool:
    """Whether the fix of a finding, if it has one, changes only what the finding is about."""
    edit = finding.facts.get("edit") or {}
    return bool(edit.get("safe", True))


def planned(
    findings: Sequence[Finding], subjects: Sequence[Subject], texts: Mapping[str, str], *, unsafe: bool
) -> list[FilePlan]:
    """The fixes by file, without files in which nothing changes.

    findings: those that are accepted are left out. subjects: what the findings are about. texts: the files by name;
    others are left out. unsafe: with unsafe fixes.
    """
    of_file = by_file(subjects)
    edits: dict[str, list[tuple[Document, Edit]]] = {}
    for finding in findings:
        source = finding.location.file if finding.location else ""
        if finding.facts.get("edit") and not finding.accepted and (unsafe or is_safe(finding)):
            edits.setdefault(source, []).extend(_edits(finding, of_file.get(source, ())))
    plans = []
    for source, text in sorted(texts.items()):
        result = fixed(text, source, edits[source]) if edits.get(source) else None
        if result and result.edits:
            plans.append(FilePlan(source, text, result.text, result.edits))
    return plans


def _edits(finding: Finding, subjects: Sequence[Subject]) -> Iterator[tuple[Document, Edit]]:
    """The edit of a finding, with the config that it is for. subjects: of the finding's file."""
    place = finding.location and (finding.location.line, finding.location.column)
    for subject in subjects:
        same = (subject.document.name or "") == finding.scope and subject.document.spot(finding.subject) == place
        if same and finding.subject in {*subject.config, "connector.class"}:
            yield subject.document, Edit(**finding.facts["edit"])


def fixable(findings: Sequence[Finding], subjects: Sequence[Subject], texts: Mapping[str, str]) -> Fixable:
    """How many fixes can be applied to the files. Parameters: as of `planned`."""
    edits = [edit for plan in planned(findings, subjects, texts, unsafe=True) for edit in plan.edits]
    safe = sum(edit.safe for edit in edits)
    return Fixable(safe, len(edits) - safe)


def diff(plan: FilePlan) -> str:
    """The change of a file as a unified diff, which `patch -p0` applies."""
    before, after = (text.splitlines(keepends=True) for text in (plan.before, plan.after))
    lines = difflib.unified_diff(before, after, plan.source, plan.source)
    return "".join(line if line.endswith("\n") else line + NO_NEWLINE for line in lines)

"""The chapters of the runbook and the drills, as a page."""

from outbox_kit.explain.options import GENERATED
from outbox_kit.operate.drill.model import drills
from outbox_kit.render import chapters
from outbox_kit.render.chapters import Chapter

INTRODUCTION = """The chapters that `outbox-kit gen-runbook` writes for the outboxes to which they apply, and the
[drills](../drills.md) that execute their commands. An id is the anchor of its chapter."""
WORDS = {"sink": "The sink", "rows": "rows", "unsent": "Rows stay"}


def page() -> str:
    """The chapters with what leads to them and their drills; then the drills."""
    lines = ["# Chapters and drills", "", GENERATED, "", INTRODUCTION, "", "## Chapters", ""]
    lines += ["| id | delivery | chapter | severity | findings | drills |", "| --- | --- | --- | --- | --- | --- |"]
    listed = sorted(chapters.every().values(), key=lambda chapter: (chapter.order, chapter.id, chapter.delivery))
    lines += [_chapter(chapter) for chapter in listed]
    lines += [
        "",
        "## Drills",
        "",
        "| drill | fault | detected by | chapter | verdict |",
        "| --- | --- | --- | --- | --- |",
    ]
    for drill in drills().values():
        verdict = " ".join([drill.verdict, *drill.findings])
        signal = f"{drill.signal.detector} {drill.signal.name}" if drill.signal else "a planned change"
        lines.append(f"| `{drill.name}` | {drill.fault} | {signal} | `{drill.chapter}` | {verdict} |")
    return "\n".join(lines) + "\n"


def _chapter(chapter: Chapter) -> str:
    findings = ", ".join(chapter.findings)
    drilled = ", ".join(f"`{name}`" for name in chapter.drills) or f"none: {chapter.undrilled}"
    title = chapter.title.format(**WORDS)
    return f"| `{chapter.id}` | {chapter.delivery} | {title} | {chapter.severity} | {findings} | {drilled} |"

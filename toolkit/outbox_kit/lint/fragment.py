"""The members of an object whose braces are left out, as pages and scripts have them. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document
from outbox_kit.lint.excerpt import Excerpt, joined
from outbox_kit.lint.format import Nested

MEMBERS = lazy_pattern(r'(?:\s|//[^\n]*\n|#[^\n]*\n)*"[\w.$-]+"\s*:')


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read members as one config that is not complete."""
    text = excerpt.text.rstrip().rstrip(",")
    members = joined([excerpt.text_at(0, "{"), excerpt.part(0, len(text)), excerpt.text_at(len(text), "}")])
    for each in nested(members, ".json"):
        if not each.fault:
            yield replace(each, partial=True)

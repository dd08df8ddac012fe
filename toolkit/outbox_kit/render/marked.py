"""The columns in which a relay records what it has published, as conditions and assignments for a runbook. Pure."""

from outbox_kit.schema.model import Outbox


def is_published(outbox: Outbox) -> str:
    """The condition on a row that is marked as published; empty if the relay marks none."""
    mark, quote = outbox.mark, outbox.dialect.quote_ident
    if mark is None:
        return ""
    if mark.status is not None:
        return f"{quote(mark.status.column)} = {outbox.dialect.quote_literal(mark.status.published)}"
    return f"{quote(mark.published_at or '')} is not null"


def unpublish(outbox: Outbox) -> str:
    """The assignments by which a published row is published again; empty if the relay marks none."""
    mark, quote = outbox.mark, outbox.dialect.quote_ident
    if mark is None:
        return ""
    assignments = [] if mark.published_at is None else [f"{quote(mark.published_at)} = null"]
    if mark.status is not None:
        assignments.append(f"{quote(mark.status.column)} = {outbox.dialect.quote_literal(mark.status.pending)}")
    if mark.expires_at is not None:
        assignments.append(f"{quote(mark.expires_at.column)} = null")
    return ", ".join(assignments)

"""Verification requests by the names of their settings, whichever group each one is in."""

from dataclasses import fields, replace
from typing import Any

from outbox_kit.schema.model import Outbox
from outbox_kit.verify.request import Criteria, Log, Request, Resources, Waits

GROUPS = {"waits": Waits, "resources": Resources, "criteria": Criteria}


def with_settings(request: Request, **settings: Any) -> Request:
    """The request with other settings: its own fields, and those of its groups."""
    for group, kind in GROUPS.items():
        names = {field.name for field in fields(kind)} & set(settings)
        if names:
            values = {name: settings.pop(name) for name in names}
            settings[group] = replace(getattr(request, group), **values)
    return replace(request, **settings)


def request_of(outbox: Outbox, log: Log, dsn: str | None = None, **settings: Any) -> Request:
    """A request with these settings."""
    return with_settings(Request(outbox, log, dsn), **settings)

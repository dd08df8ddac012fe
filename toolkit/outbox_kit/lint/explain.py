"""Rules and options in words, for a terminal and for the printed catalogue. One source, two layouts."""

import re
from collections.abc import Iterator, Mapping

from outbox_kit.lint.evidence import seen
from outbox_kit.lint.rule import Rule
from outbox_kit.lint.run import catalogue
from outbox_kit.router import options
from outbox_kit.router.options import Catalogue, Option

FILES = (*options.CONNECTOR_FILES, "router", "mongo-router", "connect", "producer", "worker")


def rule(rule: Rule) -> str:
    """A rule, whole."""
    facts = [("why", rule.why), ("fix", rule.fix), ("holds", _span(rule)), ("evidence", ", ".join(seen(rule)))]
    lines = [f"{rule.id} ({rule.severity})", f"  {rule.title}"]
    return "\n".join([*lines, *(f"  {label:<9}{text}" for label, text in facts if text)]) + "\n"


def rule_list() -> str:
    """Every rule, a line each."""
    return "".join(f"{one.id:<36} {one.severity:<8} {one.title}\n" for one in catalogue().values())


def _span(rule: Rule) -> str:
    span = " ".join(
        filter(None, [f"from {rule.since}" if rule.since else "", f"until {rule.until}" if rule.until else ""])
    )
    who = ", ".join(sorted(rule.connectors))
    return "; ".join(filter(None, [f"Debezium {span}" if span else "", who]))


def option(name: str) -> str:
    """An option wherever it is known; empty if it is nowhere. A transformation's or converter's prefix may stand."""
    parts = []
    for title, found in _described():
        plain = name.split(".", 2)[-1] if name.startswith("transforms.") and name.count(".") > 1 else name
        one = found.options.get(plain) or found.options.get(name)
        if one is not None:
            parts.append((one, title))
    grouped: dict[tuple[str, ...], list[str]] = {}
    for one, title in parts:
        grouped.setdefault(tuple(_facts(one)), []).append(title)
    blocks = ("\n".join([f"{name} ({', '.join(titles)})", *facts]) for facts, titles in grouped.items())
    text = "\n".join(blocks)
    return f"{text}\n" if text else ""


def option_names() -> list[str]:
    """The name of every option that is known anywhere."""
    return sorted({name for _, found in _described() for name in found.options})


def _described() -> Iterator[tuple[str, Catalogue]]:
    for source in FILES:
        found = options.catalogue(source)
        yield found.title, found
    for source in ("transforms", "converters", "predicates"):
        for found in options.classes(source).values():
            yield found.title, found


def _facts(one: Option) -> list[str]:
    facts: Mapping[str, str | None] = {
        "type": one.type,
        "default": one.default,
        "values": ", ".join(one.values),
        "since": one.since or one.kafka_since,
        "until": one.until or one.kafka_until,
        "inert": f"since {one.inert}" if one.inert else "",
        "instead": one.successor,
        "note": one.note,
        "why": one.why,
    }
    return [f"  {label:<9}{text}" for label, text in facts.items() if text]


# -- Markdown ---------------------------------------------------------------------------------------------------------


def rules_page() -> str:
    """The catalogue of rules as a page."""
    lines = ["# Rules of `outbox-kit check`", "", GENERATED, "", LEGEND, ""]
    for one in catalogue().values():
        lines += [f"## {one.id}", "", f"**{one.severity}.** {_plain(f'{one.title} {one.why}')}", ""]
        lines += [f"*Fix:* {_plain(one.fix)}."]
        span = _span(one)
        lines += ["", f"*Holds:* {span}.", ""] if span else [""]
        lines += [f"*Evidence:* {', '.join(seen(one))}.", ""]
    return "\n".join(lines)


LEGEND = """Evidence: DBZ-n and dbz#n are threads of Debezium's old and new issue tracker, other names are repositories;
*measured* is on the real router and converters, *source* and *documentation* are Debezium's, *public configs* were
found deployed. `outbox-kit explain RULE` says the same at a terminal."""
GENERATED = "<!-- Printed by `make docs` from the same data that the command reads. -->"


def options_page() -> str:
    """The registry of options as a page."""
    lines = ["# Options that outbox-kit knows", "", GENERATED, ""]
    for title, found in _described():
        if found.options:
            lines += [f"## {title[0].upper()}{title[1:]}", "", "| option | type | default | since | until | note |"]
            lines += ["| --- | --- | --- | --- | --- | --- |"]
            lines += [_row(one) for one in found.options.values()]
            lines.append("")
    return "\n".join(lines)


def _row(one: Option) -> str:
    values = f": {', '.join(one.values)}" if one.values else ""
    remarks = [f"inert since {one.inert}" if one.inert else "", f"instead: `{one.successor}`" if one.successor else ""]
    remarks += [one.note, one.why]
    cells = [
        f"`{one.name}`",
        f"{one.type}{values}",
        f"`{one.default}`" if one.default else "",
        one.since or (f"Kafka {one.kafka_since}" if one.kafka_since else ""),
        one.until or (f"Kafka {one.kafka_until}" if one.kafka_until else ""),
        " ".join(filter(None, remarks)),
    ]
    return "| " + " | ".join(_plain(cell).replace("|", "\\|") for cell in cells) + " |"


def _plain(text: str) -> str:
    """Text as Markdown that shows it, angle brackets included."""
    return re.sub(r"`[^`]*`|<", lambda found: "\\<" if found[0] == "<" else found[0], text)

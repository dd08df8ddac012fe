"""The registry of options in words: one option wherever it is known, and the page of options."""

import re
from collections.abc import Iterator, Mapping

from outbox_kit.router import options
from outbox_kit.router.options import Option, OptionCatalogue

FILES = (*options.CONNECTOR_FILES, "router", "mongo-router", "connect", "producer", "worker")


def text(name: str) -> str:
    """An option wherever it is known; empty if it is nowhere. A transformation's or converter's prefix may stand."""
    parts = []
    for title, catalogue in _described():
        plain = name.split(".", 2)[-1] if name.startswith("transforms.") and name.count(".") > 1 else name
        option = catalogue.options.get(plain) or catalogue.options.get(name)
        if option is not None:
            parts.append((option, title))
    grouped: dict[tuple[str, ...], list[str]] = {}
    for option, title in parts:
        grouped.setdefault(tuple(_facts(option)), []).append(title)
    blocks = ("\n".join([f"{name} ({', '.join(titles)})", *facts]) for facts, titles in grouped.items())
    described = "\n".join(blocks)
    return f"{described}\n" if described else ""


def names() -> list[str]:
    """The name of every option that is known anywhere."""
    return sorted({name for _, catalogue in _described() for name in catalogue.options})


def _described() -> Iterator[tuple[str, OptionCatalogue]]:
    for source in FILES:
        catalogue = options.catalogue(source)
        yield catalogue.title, catalogue
    for source in ("transforms", "converters", "predicates"):
        for catalogue in options.classes(source).values():
            yield catalogue.title, catalogue


def _facts(option: Option) -> list[str]:
    facts: Mapping[str, str | None] = {
        "type": option.type,
        "default": option.default,
        "values": ", ".join(option.values),
        "since": option.since or option.kafka_since,
        "until": option.until or option.kafka_until,
        "inert": f"since {option.no_effect_since}" if option.no_effect_since else "",
        "instead": option.successor,
        "note": option.note,
        "why": option.why,
    }
    return [f"  {label:<9}{text}" for label, text in facts.items() if text]


# -- Markdown ---------------------------------------------------------------------------------------------------------


GENERATED = "<!-- Printed by `make docs` from the same data that the command reads. -->"


def page() -> str:
    """The registry of options as a page."""
    lines = ["# Options that outbox-kit knows", "", GENERATED, ""]
    for title, catalogue in _described():
        if catalogue.options:
            lines += [f"## {title[0].upper()}{title[1:]}", "", "| option | type | default | since | until | note |"]
            lines += ["| --- | --- | --- | --- | --- | --- |"]
            lines += [_row(option) for option in catalogue.options.values()]
            lines.append("")
    return "\n".join(lines)


def _row(option: Option) -> str:
    values = f": {', '.join(option.values)}" if option.values else ""
    remarks = [
        f"inert since {option.no_effect_since}" if option.no_effect_since else "",
        f"instead: `{option.successor}`" if option.successor else "",
    ]
    remarks += [option.note, option.why]
    cells = [
        f"`{option.name}`",
        f"{option.type}{values}",
        f"`{option.default}`" if option.default else "",
        option.since or (f"Kafka {option.kafka_since}" if option.kafka_since else ""),
        option.until or (f"Kafka {option.kafka_until}" if option.kafka_until else ""),
        " ".join(filter(None, remarks)),
    ]
    return "| " + " | ".join(markdown(cell).replace("|", "\\|") for cell in cells) + " |"


def markdown(text: str) -> str:
    """Text as Markdown that shows it, angle brackets included."""
    return re.sub(r"`[^`]*`|<", lambda match: "\\<" if match[0] == "<" else match[0], text)

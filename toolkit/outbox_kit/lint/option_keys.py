"""The keys of a config: which are options, and where each belongs. Pure."""

from collections.abc import Iterator

from outbox_kit.lint.server import ALL_FORMATS
from outbox_kit.lint.subject import Subject
from outbox_kit.router.options import Option, OptionPlace


def places(subject: Subject) -> Iterator[tuple[str, str, OptionPlace]]:
    """Each key with its value and its place, where the registry knows the class that it belongs to.

    Options of a transformation that does not run are left out: the rule transformation-not-listed reports it.
    """
    idle = subject.idle_prefixes
    for key, value in subject.config.items():
        if well_formed(key) and not key.startswith(idle):
            place = subject.places[key]
            if place.catalogue is not None:
                yield key, value, place


def well_formed(key: str) -> bool:
    """Whether a key is made of what options are made of."""
    return not set(key) & set("\"'\t\r\n ,;{}=")


def is_of_another_format(subject: Subject, place: OptionPlace) -> bool:
    """Whether it is an option of all formats of Debezium Server, which one of two different ones may read."""
    is_of_all = f"{ALL_FORMATS}{place.name}" in subject.document.settings
    return is_of_all and subject.converter("key") != subject.converter("value")


def is_default(option: Option | None, value: str) -> bool:
    """Whether a value means what holds where the option is not set."""
    return option is not None and option.same(value, None)

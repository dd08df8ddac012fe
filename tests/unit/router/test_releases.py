"""Which releases of Debezium are known: those of the registry of options."""

from outbox_kit.router import options
from outbox_kit.router.options import Option
from outbox_kit.versions import DEBEZIUM_MINORS, Version


def _options() -> list[Option]:
    catalogues = [options.catalogue(name) for name in (*options.CONNECTOR_FILES, "router", "mongo-router")]
    for source in ("transforms", "converters"):
        catalogues += options.classes(source).values()
    return [option for catalogue in catalogues for option in catalogue.options.values()]


def test_every_release_that_an_option_names_is_known() -> None:
    named = {release for option in _options() for release in (option.since, option.until) if release}
    assert named and all(Version.of(release).is_debezium for release in named)
    assert any(Version.of(release) == Version((3, DEBEZIUM_MINORS[3])) for release in named)


def test_a_release_that_does_not_exist_is_unknown() -> None:
    assert not any(Version.of(release).is_debezium for release in ("9.9", "2.8", "4.0", "3.99"))

"""Rules about the publication of PostgreSQL's connector: its name, and the tables in it."""

import re
from collections.abc import Iterator

from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.filters import AUTOCREATE, LITERAL
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.table_names import parts

CREATED_PUBLICATION = lazy_pattern(
    r"\bcreate\s+publication\s+\"?(?P<name>\w+)\"?\s+for\s+table\s+(?P<tables>[\w\s.,\"\\]{1,500}?)\s*(?:;|\bwith\b|$|['`)]|\"(?!\w))",
    re.IGNORECASE,
)
OWN_SCHEMA = "public"
"""Where a name without a schema is looked up."""
SIGNALS = "signal.data.collection"
"""The table of signals, whose rows the connector reads from the log too."""


@rule(
    "publication-lacks-table",
    Consequence.loss,
    evidence="I04",
    connectors=POSTGRES.name,
    fix="add the table to the publication: ALTER PUBLICATION <name> ADD TABLE <table>",
)
def publication_lacks_table(subject: Subject) -> Iterator[Violation]:
    """The publication that the file creates has every captured table, and the one of signals.

    The server sends no change of another table.
    """
    if subject.setting("plugin.name") != "pgoutput":  # no other one reads a publication
        return
    publication = (subject.setting("publication.name") or "").lower()
    if not subject.says("publication.name", "table.include.list") or subject.setting(AUTOCREATE) == "filtered":
        return
    created = [match for match in matches(subject.text, CREATED_PUBLICATION) if match["name"].lower() == publication]
    if len(created) != 1:
        return
    listed = [re.sub(r'["\\]', "", entry.strip()).lower() for entry in created[0]["tables"].split(",")]
    has_path = "search_path" in subject.text
    signals = [(SIGNALS, subject.config[SIGNALS])] if SIGNALS in subject.config and subject.says(SIGNALS) else []
    for key, table in [*(("publication.name", table) for table in subject.tables), *signals]:
        *schema, name = (part.lower() for part in parts(table))
        whole = ".".join([*schema, name])
        names = {whole, name} if has_path or schema in ([], [OWN_SCHEMA]) else {whole}
        lacks = not any(entry.removeprefix("only ") in names or entry.endswith(f".{whole}") for entry in listed)
        if LITERAL.fullmatch(table) and lacks:
            message = f"the publication '{publication}' that the file creates lacks the table '{table}'"
            yield Violation(key, message)


ANY_PUBLICATION = lazy_pattern(r"\bcreate\s+publication\s+\"?(?P<name>\w+)\"?\s*(?:\bfor\b|\bwith\b|;)", re.IGNORECASE)


@rule(
    "publication-not-created",
    Consequence.stop,
    of_names=True,
    evidence="I04",
    connectors=POSTGRES.name,
    fix="use the name of the publication that exists",
)
def publication_not_created(subject: Subject) -> Iterator[Violation]:
    """The publication is the one that the file creates, if the connector creates none itself.

    The task fails: the publication does not exist.
    """
    names = sorted({match["name"].lower() for match in matches(subject.text, ANY_PUBLICATION)})
    name = (subject.setting("publication.name") or "").lower()
    if subject.setting("plugin.name") != "pgoutput" or subject.setting(AUTOCREATE) != "disabled" or not names:
        return
    if subject.says("publication.name", AUTOCREATE) and name not in names and WORD.fullmatch(name):
        yield Violation("publication.name", f"the file creates the publication '{names[0]}', not '{name}'")


@rule(
    "publication-without-tables",
    Consequence.risk,
    evidence="I04",
    connectors=POSTGRES.name,
    fix="create the publication with the table, and set publication.autocreate.mode=disabled",
)
def publication_without_tables(subject: Subject) -> Iterator[Violation]:
    """The publication has the captured tables.

    With publication.autocreate.mode=no_tables a publication that does not exist is created without tables: the server
    sends no change, without an error.
    """
    empty = subject.config.get(AUTOCREATE, "").strip().lower() == "no_tables"
    if (
        empty
        and subject.tables
        and f"create publication {subject.setting('publication.name')}" not in subject.text.lower()
    ):
        yield Violation(AUTOCREATE, f"{AUTOCREATE} is no_tables")


PLAIN_NAME = lazy_pattern(r"(?:[a-z_]|[^\x00-\x7f])(?:[a-z0-9_$]|[^\x00-\x7f])*")
"""A name that PostgreSQL takes without quotes, as it is."""
WORD = lazy_pattern(r"\w+")


@rule(
    "publication-name-unquoted",
    Consequence.stop,
    evidence="I04",
    connectors=POSTGRES.name,
    fix="use lower-case letters, digits and underscores, or set publication.autocreate.mode=disabled and create it",
)
def publication_name_unquoted(subject: Subject) -> Iterator[Violation]:
    """The connector can create its publication under its name.

    It writes the name without quotes: PostgreSQL refuses other characters than letters, digits and underscores, and
    converts capitals, so that the connector does not find the publication under its name
    (`PostgresReplicationConnection.initPublication`).
    """
    key = "publication.name"
    name, mode = subject.config.get(key, "").strip(), subject.config.get(AUTOCREATE, "").strip().lower()
    if not name or PLAIN_NAME.fullmatch(name) or not subject.says(key, AUTOCREATE) or mode == "disabled":
        return
    if subject.setting("plugin.name") != "pgoutput" or re.search(
        rf"\bpublication\s+[\"'`\\]*{re.escape(name)}\b", subject.text, re.IGNORECASE
    ):
        return
    how = (
        "PostgreSQL converts its capitals" if WORD.fullmatch(name) else "PostgreSQL refuses such a name without quotes"
    )
    consequence = None if mode == "filtered" else Consequence.risk  # one that exists is used as it is
    yield Violation(key, f"the connector creates '{name}' without quotes: {how}", consequence=consequence)


FOR_ALL = lazy_pattern(r"\bcreate\s+publication\s+\"?(?P<name>\w+)\"?\s+for\s+all\s+tables\b", re.IGNORECASE)
RESOURCE = lazy_pattern(r"resource\s+\"postgresql_publication\"[^}]*?\ball_tables\s*=\s*true", re.DOTALL)


@rule(
    "publication-of-all-tables",
    Consequence.stop,
    of_names=True,
    evidence="I04",
    connectors=POSTGRES.name,
    fix="create the publication with the tables, or set publication.autocreate.mode=disabled",
)
def publication_of_all_tables(subject: Subject) -> Iterator[Violation]:
    """A publication that the connector sets to the captured tables is not one of all tables.

    PostgreSQL refuses to change it: the task fails.
    """
    if subject.setting("plugin.name") != "pgoutput" or subject.setting(AUTOCREATE) != "filtered":
        return
    name = subject.setting("publication.name") or ""
    created = any(match["name"].lower() == name.lower() for match in matches(subject.text, FOR_ALL))
    if created or ("$(postgresql_publication" in name and matches(subject.text, RESOURCE)):
        yield Violation(AUTOCREATE, f"the file creates the publication for all tables, and {AUTOCREATE} is filtered")


SLOT = lazy_pattern(
    r"\bpg_create_logical_replication_slot\s*\(\s*'(?P<name>\w+)'\s*,\s*'(?P<plugin>\w+)'", re.IGNORECASE
)


SLOT_RESOURCE = lazy_pattern(
    r"\"postgresql_replication_slot\"\s+\"(?P<resource>[\w-]+)\"\s*\{[^}]*?\bname\s*=\s*\"(?P<name>\w+)\""
    r"[^}]*?\bplugin\s*=\s*\"(?P<plugin>\w+)\""
)


@rule(
    "slot-of-another-plugin",
    Consequence.stop,
    of_names=True,
    evidence="I05",
    connectors=POSTGRES.name,
    fix="create the slot with the plugin of the connector",
)
def slot_of_another_plugin(subject: Subject) -> Iterator[Violation]:
    """The slot that the file creates has the plugin of the connector.

    The connector does not find a slot with its plugin, and cannot create one of that name.
    """
    plugin, slot = subject.setting("plugin.name"), subject.setting("slot.name")
    for match in matches(subject.text, SLOT_RESOURCE) if subject.says("plugin.name") else ():
        is_named = match["name"] == slot or f"postgresql_replication_slot.{match['resource']}." in (slot or "")
        if is_named and match["plugin"] != plugin:
            yield Violation(
                "slot.name", f"the file creates the slot '{match['name']}' with the plugin {match['plugin']}"
            )
    for match in matches(subject.text, SLOT) if subject.says("plugin.name", "slot.name") else ():
        if match["name"] == slot and match["plugin"].lower() != plugin:
            yield Violation("slot.name", f"the file creates the slot '{slot}' with the plugin {match['plugin']}")


PUBLISHED = lazy_pattern(
    r"\bcreate\s+publication\s+\"?(?P<name>\w+)\"?[^;`]{0,400}?\bpublish\s*=\s*'(?P<operations>[a-z ,]*)'",
    re.IGNORECASE,
)


@rule(
    "publication-without-inserts",
    Consequence.loss,
    evidence="I04",
    connectors=POSTGRES.name,
    fix="add insert to publish",
)
def publication_without_inserts(subject: Subject) -> Iterator[Violation]:
    """The publication that the file creates has inserts.

    Events are inserted rows: the server sends none of them.
    """
    name = (subject.setting("publication.name") or "").lower()
    for match in matches(subject.text, PUBLISHED) if subject.says("publication.name") else ():
        if match["name"].lower() == name and "insert" not in match["operations"].lower():
            yield Violation("publication.name", f"the publication '{name}' has {match['operations']} alone")


OF_PGOUTPUT = ("proto_version", "publication_names", "binary", "messages", "streaming", "two_phase", "origin")
"""The parameters of the server's own plugin."""


@rule(
    "slot-parameter-unknown",
    Consequence.stop,
    evidence="I05",
    connectors=POSTGRES.name,
    fix="remove the parameter",
)
def slot_parameter_unknown(subject: Subject) -> Iterator[Violation]:
    """The parameters of the slot are those of its plugin.

    The server refuses to send changes: unrecognized pgoutput option.
    """
    key = "slot.stream.params"
    if subject.setting("plugin.name") == "pgoutput" and subject.says(key, "plugin.name"):
        for pair in filter(None, subject.config.get(key, "").split(";")):
            name = pair.partition("=")[0].strip()
            if name not in OF_PGOUTPUT:
                yield Violation(key, f"pgoutput has no parameter '{name}'")
                break

"""The Debezium release that a file names."""

import pytest

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.run import check, report
from outbox_kit.lint.stated import stated_release
from outbox_kit.lint.subjects import USUAL
from outbox_kit.lint.texts import from_text
from outbox_kit.versions import Version

CONFIG = '```json\n{"name": "a", "config": {"connector.class": "io.debezium.connector.mysql.MySqlConnector"}}\n```\n'


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("image: quay.io/debezium/connect:3.0.0.Final", "3.0"),
        ("FROM debezium/connect-base:v2.4", "2.4"),
        ("image: debezium/server:2.1.4.Final\nimage: debezium/example-postgres:2.1", "2.1"),
        ("debezium-connector-postgres-2.4.0.Final-plugin.tar.gz", "2.4"),
        ("debezium/debezium-connector-sqlserver:2.2.1", "2.2"),
        ("implementation 'io.debezium:debezium-connector-mysql:3.1.2.Final'", "3.1"),
        ("<artifactId>debezium-embedded</artifactId>\n<version>2.7.4.Final</version>", "2.7"),
        ("ARG DEBEZIUM_VERSION=1.9.7.Final", "1.9"),
        ("debezium.version = '2.5.0'", "2.5"),
        ("<version.debezium>3.2.1.Final</version.debezium>", "3.2"),
        ("Debezium MySQL 1.7.1, Confluent 6.2", "1.7"),
        ("debezium/example-mysql:0.5\ndebezium-connector-mysql-0.8.3.Final-plugin.tar.gz", "0.8"),
        ("debezium/example-mysql:1.9\nimage: debezium/connect:2.4", None),
        ("image: quay.io/yugabyte/debezium-connector:1.7.0.12-BETA", None),
        ("Debezium is 1.6.1.Final", "1.6"),
        ("debezium-server-bigquery:0.3.0.Final (Debezium 2.5)", "2.5"),
        ("image: debezium/postgres:16", None),
        ("image: debezium/connect:latest", None),
        ("image: debezium/connect:${DEBEZIUM_VERSION}", None),
        ("image: debezium/connect:2.4, later debezium/connect:3.0", None),
        ("image: debezium/connect:99.1", None),
        ("image: debezium/connect:3.99", None),
        ("debezium-connector-postgres: 7 databases", None),
        ("", None),
    ],
)
def test_a_text_names_one_release_or_none(text: str, release: str | None) -> None:
    assert stated_release(text) == (Version.of(release) if release else None)


def test_a_file_is_checked_against_the_release_that_it_names() -> None:
    page = f"It runs on `quay.io/debezium/connect:2.7`.\n\n{CONFIG}"
    for text, target, expected in ((page, None, "2.7"), (page, "3.5", "3.5"), (CONFIG, None, USUAL.text)):
        (subject,) = from_text(text, "README.md", Version.of(target) if target else None)
        assert subject.release.text == expected
        notes = report([subject], check([subject]), Severity.error, 0).notes
        assert notes == (["checked against Debezium 2.7, which 'README.md' names"] if expected == "2.7" else [])


def test_a_note_counts_the_files_of_a_release() -> None:
    subjects = [
        each
        for name in ("README.md", "CHANGELOG.md")
        for each in from_text(f"debezium/connect:2.7\n{CONFIG}", name, None)
    ]
    assert report(subjects, [], Severity.error, 0).notes == ["checked against Debezium 2.7, which 2 files name"]

"""The Debezium release that a file names, for certain or in passing. Pure."""

import re
from collections.abc import Set

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.versions import Version

NUMBER = r"v?(\d+\.\d+)(?!\d)"
CERTAIN = lazy_pattern(
    r"(?:\bdebezium/(?:connect(?:-base)?|server|kafka|zookeeper|example-[\w-]+):"
    r"|(?<!yugabyte/)\bdebezium-(?!server-(?:bigquery|iceberg|spark)\b)(?:connector|server|api|core|embedded|scripting)[a-z0-9-]*(?:[-:/@]|</artifactId>\s*<version>)"
    r"|\bdebezium-connector-[a-z]+[\"']?\s*(?:,\s*|\n\s*)[\"']?version[\"']?:\s*[\"']?"
    r"|\bdebezium-[a-z0-9-]+[`\"'*]*\s+(?=v?\d+\.\d+\.\d+\.(?:Final|Alpha|Beta|CR))"
    r"|\bVERSION=[\"']?(?=\d+\.\d+\.\d+\.(?:Final|Alpha|Beta|CR))"
    r"|\bkind:\s*DebeziumServer\b(?:(?!\n---)[\s\S]){0,200}?\n[ \t]+version:\s*[\"']?"
    r"|\bDebeziumContainer\(\s*\"(?:[\w./-]+:)?"
    r"|\b(?:debezium[._-]?version|version[._-]debezium)\W{1,5})" + NUMBER,
    re.IGNORECASE,
)
"""The tag of an image of Debezium's project, the version of one of its artifacts, the value of a variable."""
DASHED = lazy_pattern(r"\bdebezium-(?:connector-)?[a-z]+-v?(\d+)-(\d+)-\d+\b", re.IGNORECASE)
"""The name of a plugin in which there are no dots, such as in an address of AWS."""
IN_PASSING = lazy_pattern(
    r"(?:(?<!since )(?<!before )(?<!until )(?<!from )(?<!than )(?<!to )(?<!of )(?<!after )\bDebezium "
    r"(?:Server |Connect |(?:for )?(?:MySQL|MariaDB|PostgreSQL|Postgres|SQL Server|Oracle|MongoDB) (?:connector )?)?"
    r"(?:is )?(?:version )?(?=v?\d+\.\d+(?![\d+]))"
    r"|\"version\":\s*\"(?=\d+\.\d+\.\d+\.(?:Final|Alpha|Beta|CR))"
    r"|\bdebezium\.io/documentation/reference/)" + NUMBER,
    re.IGNORECASE,
)
"""A sentence, a message of a connector, an address of the documentation."""
MAJOR = lazy_pattern(r"\bDebezium (?:Server |Connect )?v?(\d)\.x\b", re.IGNORECASE)
"""A major release in a sentence, which stands for its newest one."""
CURRENT = lazy_pattern(r"topic[._]prefix|schema[._]history[._]internal", re.IGNORECASE)
"""Options since 2.0: a text with one of them is about no release before."""
RENAMED = Version.of("2.0")


def stated_release(text: str) -> Version | None:
    """The release that a text names, without a patch level; None if it names none, several or an unknown one."""
    if "debezium" not in text.lower():
        return None
    if certain := {*CERTAIN.findall(text), *(f"{major}.{minor}" for major, minor in DASHED.findall(text))}:
        return _only(certain)
    numbers = set(IN_PASSING.findall(text)) or {Version.newest_debezium(int(major)) for major in MAJOR.findall(text)}
    release = _only(numbers)
    return None if release is not None and release < RENAMED and CURRENT.search(text) else release


def _only(numbers: Set[str]) -> Version | None:
    releases = [release for release in map(Version.of, numbers) if release.is_debezium]
    if len(releases) == len(numbers) > 1 and all(release < RENAMED for release in releases):
        return max(releases)  # an image of an example, and the plugin
    return releases[0] if len(releases) == len(numbers) == 1 else None

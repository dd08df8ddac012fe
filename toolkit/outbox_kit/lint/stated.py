"""The Debezium release that a file names: in the tag of an image, the version of an artifact, or a variable. Pure."""

import re

from outbox_kit.versions import Version

STATEMENT = re.compile(
    r"(?:\bdebezium/(?:connect(?:-base)?|server|kafka|zookeeper|example-[\w-]+):"
    r"|\bdebezium-(?:connector|server|api|core|embedded|scripting)[a-z0-9-]*(?:[-:/@]|</artifactId>\s*<version>)"
    r"|\bdebezium-connector-[a-z]+[\"']?\s*(?:,\s*|\n\s*)[\"']?version[\"']?:\s*[\"']?"
    r"|(?<!since )(?<!before )(?<!until )(?<!from )(?<!than )(?<!to )\bDebezium "
    r"(?:Server |Connect )?(?:version )?(?=v?\d+\.\d+(?![\d+]))"
    r"|\"version\":\s*\"(?=\d+\.\d+\.\d+\.(?:Final|Alpha|Beta|CR))"
    r"|\bVERSION=[\"']?(?=\d+\.\d+\.\d+\.(?:Final|Alpha|Beta|CR))"
    r"|\bdebezium\.io/documentation/reference/"
    r"|\bkind:\s*DebeziumServer\b(?:(?!\n---)[\s\S]){0,200}?\n[ \t]+version:\s*[\"']?"
    r"|\bDebeziumContainer\(\s*\"(?:[\w./-]+:)?"
    r"|\b(?:debezium[._-]?version|version[._-]debezium)\W{1,5})"
    r"v?(\d+\.\d+)(?!\d)",
    re.IGNORECASE,
)
"""The tag of an image of Debezium's project, the version of one of its artifacts, the value of a variable."""


MAJOR = re.compile(r"\bDebezium (?:Server |Connect )?v?(\d)\.x\b", re.IGNORECASE)
"""The newest release of a major one."""


def stated_release(text: str) -> Version | None:
    """The release that a text names, without a patch level; None if it names none, several or an unknown one."""
    numbers = set(STATEMENT.findall(text)) if "debezium" in text.lower() else set()
    numbers |= set() if numbers else {str(Version.newest_debezium(int(major))) for major in MAJOR.findall(text)}
    releases = [release for release in map(Version.of, numbers) if release.is_debezium]
    return releases[0] if len(releases) == len(numbers) == 1 else None

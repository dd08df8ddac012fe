"""Rules about what stands around a config: the quotes of a shell, the file that is sent, the image of the worker."""

import re
from collections.abc import Iterator

from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

DOUBLED = re.compile(r"''[^',\s{}\[\]:][^'\n]*''")
"""A word in two single quotes, as SQL escapes them."""
SENT = re.compile(
    r"\bcurl\b[^`]*?(?:-d|--data(?:-\w+)?|-T|--upload-file|--json)[ =]?[ \t]*[\"']?@?[./\w-]*?([\w.-]+\.json)\b"
)
FILLED = re.compile(r"\b(?:envsubst|sed|eval|perl|jq|python3?|gomplate|helm|ansible|replaced?|substituted?)\b")
"""What may replace variables in a file before it is sent."""
VARIABLE = re.compile(r"\$\{(?!routedByValue\})[A-Z][A-Z0-9_]*\}")
DEBEZIUM_IMAGE = re.compile(r"\bimage:[ \t]*[\"']?[\w./${}:-]*\bdebezium/connect(?:-base)?[:@\"'\s]")
OTHER_IMAGE = re.compile(r"\b(?:cp-kafka-connect|cp-server-connect|kafka-connect|KafkaConnect)\b")
PREFIXED = re.compile(r"\bCONNECT_CONFIG_STORAGE_TOPIC\b")
BARE = re.compile(r"(?<![A-Z_])CONFIG_STORAGE_TOPIC\b")


@rule(
    "quotes-lost",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="write '\\'' for a quote in single quotes, or use a here-document",
)
def quotes_lost(subject: Subject) -> Iterator[Violation]:
    """A quote within the single quotes of a shell reaches the connector.

    Two single quotes end the text and begin the next one: the word between them loses its quotes.
    """
    if subject.document.kind != "json" or not DOUBLED.search(subject.text):
        return
    lines = subject.text.splitlines()
    for key, (line, _) in subject.document.spots.items():
        shown = re.search(rf'"{re.escape(key)}"\s*:\s*"([^"]*)"', lines[line - 1] if line <= len(lines) else "")
        if shown and (match := DOUBLED.search(shown[1])) and "'" not in subject.config.get(key, "'"):
            yield Violation(key, f"the shell removes the quotes of {match[0]}")


@rule(
    "variable-in-sent-file",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="replace the variables first, such as with envsubst, or use a config provider: ${env:NAME}",
)
def variable_in_sent_file(subject: Subject) -> Iterator[Violation]:
    """A file that curl sends has no variables of a shell.

    Nothing replaces them there: the connector gets the text `${NAME}` itself, such as for a password.
    """
    document = subject.document
    if not subject.is_of_page or document.kind != "json" or document.expands or document.request:
        return
    sent = set(SENT.findall(subject.text))
    file = sent.pop() if len(sent) == 1 else ""
    mentions = len(re.findall(rf"(?<![\w.-]){re.escape(file)}", subject.text)) if file else 0
    if mentions < 2 or FILLED.search(subject.text):  # once where it is sent
        return
    for key, value in subject.config.items():
        if match := VARIABLE.search(value):
            yield Violation(key, f"nothing replaces '{match[0]}' in {file}")


@rule(
    "worker-variable-prefixed",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="name the variables of Debezium's image without the prefix: CONFIG_STORAGE_TOPIC, GROUP_ID and others",
)
def worker_variable_prefixed(subject: Subject) -> Iterator[Violation]:
    """The topics of a worker from Debezium's image are named by variables without the prefix CONNECT_.

    Its start script requires CONFIG_STORAGE_TOPIC and OFFSET_STORAGE_TOPIC, and ends without them.
    """
    text = subject.text
    if DEBEZIUM_IMAGE.search(text) and not OTHER_IMAGE.search(text) and PREFIXED.search(text) and not BARE.search(text):
        yield Violation(
            "connector.class",
            "the worker in the file has CONNECT_CONFIG_STORAGE_TOPIC, which the image of Debezium does not read",
        )

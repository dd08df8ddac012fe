"""Rules about what stands around a config: quotes of a shell, a file that is sent, images, their topics and folders."""

import re
from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.created_topics import creations
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.request import CURL
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.scripts import SCRIPTS
from outbox_kit.lint.subject import Subject
from outbox_kit.versions import Version

DOUBLED = lazy_pattern(r"''[^',\s{}\[\]:][^'\n]*''")
"""A word in two single quotes, as SQL escapes them."""
CURL_NAME = lazy_pattern(r"\bcurl\b")
SENT = lazy_pattern(r"(?:-d|--data(?:-\w+)?|-T|--upload-file|--json)[ =]?[ \t]*[\"']?@?[./\w-]*?([\w.<>-]+\.json)\b")
FILLED = lazy_pattern(
    r"\b(?:envsubst|sed|eval|perl|jq|python3?(?! -m json\.tool)|gomplate|helm|ansible|replaced?|substituted?)\b"
)
"""What may replace variables in a file before it is sent."""
VARIABLE = lazy_pattern(r"\$\{(?!routedByValue\})[A-Z][A-Z0-9_]*\}")
DEBEZIUM_IMAGE = lazy_pattern(r"\bimage:[ \t]*[\"']?[\w./${}:-]*\bdebezium/connect(?:-base)?[:@\"'\s]")
OTHER_IMAGE = lazy_pattern(r"\b(?:cp-kafka-connect|cp-server-connect|kafka-connect|KafkaConnect)\b")
BLANK_AFTER_AT = lazy_pattern(r"(?:-d|--data(?:-binary)?|--json)[ =]\s*@[ \t]+(?P<file>[\w./-]+\.json)\b")
PORT_OF_SCHEME = lazy_pattern(r"[\"']database\.port[\"'],\s*\w+\.substringAfter\(\s*[\"']:[\"']\s*\)")
NEEDED = ("CONFIG_STORAGE_TOPIC", "BOOTSTRAP_SERVERS")
"""Variables of the image without which its worker does not start."""


@rule(
    "quotes-lost",
    Consequence.stop,
    of_names=True,
    evidence="N12",
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
        if shown and (match := DOUBLED.search(shown[1])) and match[0][1:-1] not in subject.config.get(key, match[0]):
            yield Violation(key, f"the shell removes the quotes of {match[0]}")


@rule(
    "variable-in-sent-file",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="replace the variables first, such as with envsubst, or use a config provider: ${env:NAME}",
)
def variable_in_sent_file(subject: Subject) -> Iterator[Violation]:
    """A file that curl sends has no variables of a shell.

    Nothing replaces them there: the connector gets the text `${NAME}` itself, such as for a password.
    """
    document = subject.document
    if not subject.is_of_page or document.kind != "json" or document.expands or document.request:
        return
    commands = (text.partition("`")[0] for text in CURL_NAME.split(subject.text)[1:])
    sent = {match[1] for command in commands if (match := SENT.search(command))}
    file = sent.pop() if len(sent) == 1 else ""
    mentions = len(re.findall(rf"(?<![\w.-]){re.escape(file)}", subject.text)) if file else 0
    is_named = mentions > 1 or file.removesuffix(".json") == document.name
    if not file or not is_named or FILLED.search(subject.text):  # once where it is sent
        return
    for key, value in subject.config.items():
        if match := VARIABLE.search(value):
            yield Violation(key, f"nothing replaces '{match[0]}' in {file}")


@rule("blank-before-sent-file", Consequence.stop, of_names=True, evidence="N12", fix="write @ and the file as one word")
def blank_before_sent_file(subject: Subject) -> Iterator[Violation]:
    """curl gets the name of the file that it sends in one word with the `@`.

    `-d @ connector.json` sends a file without a name, and takes the real one as an address.
    """
    commands = [match[0] for match in matches(subject.text, CURL)] if "@ " in subject.text else []
    sent = [match["file"] for command in commands if (match := BLANK_AFTER_AT.search(command))]
    if sent and subject.document.kind == "json" and not subject.document.request:
        yield Violation("connector.class", f"curl does not read '{sent[0]}': a blank stands between @ and the name")


TERMINAL = lazy_pattern(
    r"(?P<pipe>\|[ \t]*)?\bdocker(?:[ -]compose)?[ \t]+exec[ \t]+(?:--?[\w-]+[ \t]+)*?-(?:it|ti|t|-tty)[ \t]"
    r"(?:[^\n|;&<]|\\\n)*(?P<text><<-?[ \t]*[\"']?\w)?"
)


@rule(
    "terminal-for-text",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="N12",
    fix="write docker exec -i",
)
def terminal_for_text(subject: Subject) -> Iterator[Violation]:
    """A command in a container that gets a text has no terminal.

    `docker exec -t` refuses it: the input device is not a TTY. What the text was to do is not done, and a script with
    `set -e` ends there.
    """
    is_script = subject.source.endswith((".sh", ".bash")) and "exec" in subject.text
    commands = matches(subject.text, TERMINAL) if is_script else ()
    if any(match["pipe"] or match["text"] for match in commands):
        yield Violation("connector.class", "docker exec -t gets a text: the input device is not a TTY")


@rule(
    "port-of-scheme",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix='take what is behind the host: url.substringAfterLast(":").substringBefore("/")',
)
def port_of_scheme(subject: Subject) -> Iterator[Violation]:
    """The port of a database is not taken from behind the first colon of a JDBC address.

    In `jdbc:postgresql://host:5432/name` the first colon ends the word `jdbc`, and no number follows.
    """
    if subject.document.kind == "code" and PORT_OF_SCHEME.search(subject.text):
        yield Violation("database.port", "the first colon of a JDBC address stands behind 'jdbc', not before the port")


@rule(
    "worker-variable-prefixed",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="name the variables of Debezium's image without the prefix: CONFIG_STORAGE_TOPIC, GROUP_ID and others",
)
def worker_variable_prefixed(subject: Subject) -> Iterator[Violation]:
    """The variables of a worker from Debezium's image have no prefix CONNECT_.

    Its start script sets CONNECT_BOOTSTRAP_SERVERS and others from those without the prefix: a default takes the place
    of the brokers, and it ends without CONFIG_STORAGE_TOPIC.
    """
    text = subject.text
    if not DEBEZIUM_IMAGE.search(text) or OTHER_IMAGE.search(text):
        return
    for name in NEEDED:
        if f"CONNECT_{name}" in text and not re.search(rf"(?m)^[^#\n]*(?<![A-Z_]){name}\b", text):
            message = f"the worker in the file has CONNECT_{name}, which the image of Debezium does not read"
            yield Violation("connector.class", message)
            return


BARE = lazy_pattern(rf"^[^#\n]*(?<![A-Z_]){NEEDED[0]}[\"']?[=:]", re.MULTILINE)
CONFLUENT_IMAGE = lazy_pattern(r"\bconfluentinc/cp-(?:kafka|server)-connect(?:-base)?\b")


@rule(
    "worker-variable-without-prefix",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="name the variables of Confluent's image with the prefix: CONNECT_GROUP_ID and others",
)
def worker_variable_without_prefix(subject: Subject) -> Iterator[Violation]:
    """The variables of a worker from Confluent's image have the prefix CONNECT_.

    Its start script makes the configuration of those with the prefix, and ends without CONNECT_BOOTSTRAP_SERVERS.
    """
    text, name = subject.text, NEEDED[0]
    is_confluent = CONFLUENT_IMAGE.search(text) and not DEBEZIUM_IMAGE.search(text)
    if is_confluent and f"CONNECT_{name}" not in text and BARE.search(text):
        message = f"the worker in the file has {name} without CONNECT_, which the image of Confluent does not read"
        yield Violation("connector.class", message)


BRINGS_SCRIPTING = lazy_pattern(
    r"scripting|groovy-|volumes:|^[ \t]*build:|^FROM\b|env_file|_PLUGIN", re.IGNORECASE | re.MULTILINE
)
"""What may bring the classes, or set the variable."""
SCRIPTING = lazy_pattern(r"^[ \t]*-[ \t]+ENABLE_DEBEZIUM_SCRIPTING=[\"']", re.MULTILINE)
"""An item of a list in YAML, whose value keeps its quotes."""


@rule(
    "scripting-not-enabled",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="write ENABLE_DEBEZIUM_SCRIPTING=true without quotes",
)
def scripting_not_enabled(subject: Subject) -> Iterator[Violation]:
    """The image of Debezium has the classes of a transformation with a script.

    Its start script adds them if ENABLE_DEBEZIUM_SCRIPTING is the word true. In the list of a compose file quotes
    within an item belong to the value. Without the class Kafka Connect rejects the connector.
    """
    lacks = DEBEZIUM_IMAGE.search(subject.text) and not BRINGS_SCRIPTING.search(subject.text)
    quoted = SCRIPTING.search(subject.text)
    for step in subject.steps if lacks or quoted else ():
        if step.kind in SCRIPTS:
            message = "has quotes in its value" if quoted else "is not set"
            yield Violation(step.key("type"), f"ENABLE_DEBEZIUM_SCRIPTING in the file {message}")


QUOTED_VARIABLE = lazy_pattern(
    r"^[ \t]*-[ \t]+(?P<name>(?:CONNECT_)?\w*(?:CONVERTER|CLASS|TOPIC|SERVERS|GROUP_ID))="
    r"(?P<quote>[\"'])\S+(?P=quote)[ \t]*$",
    re.MULTILINE,
)


@rule(
    "quoted-worker-variable",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="write the value without quotes, or the whole item in quotes",
)
def quoted_worker_variable(subject: Subject) -> Iterator[Violation]:
    """The variables of a worker have their values without quotes.

    In the list of a compose file quotes within an item belong to the value: the worker looks for a class or a topic
    whose name has quotes, and ends.
    """
    if NEEDED[0] in subject.text and (variable := QUOTED_VARIABLE.search(subject.text)):
        yield Violation("connector.class", f"the value of {variable['name']} in the file has quotes")


BODY_OF_FILE = lazy_pattern(r"(?:-d|--data(?:-\w+)?)[ =]?[\"']?@[\w./${}-]+")
DECLARED = lazy_pattern(r"content-type|--json\b", re.IGNORECASE)


@rule(
    "sent-file-without-type",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="add the header Content-Type: application/json",
)
def sent_file_without_type(subject: Subject) -> Iterator[Violation]:
    """The command that sends the file with the connector declares that it is JSON.

    Without the header, curl declares a form. Kafka Connect answers 415 and changes nothing.
    """
    if not subject.is_of_page or subject.document.kind != "json" or subject.document.request:
        return
    for command in (match[0] for match in matches(subject.text, CURL)):
        sends = BODY_OF_FILE.search(command) and "/connectors" in command
        if sends and not DECLARED.search(command) and "$" not in command.split("curl", 1)[1].split()[0]:
            yield Violation("connector.class", "curl sends the file as a form")
            return


INTERNAL = lazy_pattern(
    r"\b(?:CONFIG|OFFSET|STATUS)_STORAGE_TOPIC[\"']?\s*[=:]\s*[\"']?(?P<variable>[\w.-]+)"
    r"|^[ \t]*(?:config|offset|status)\.storage\.topic\s*[=:]\s*[\"']?(?P<property>[\w.-]+)",
    re.MULTILINE,
)
"""The name of a topic in which the workers of Kafka Connect store what they know."""


@rule(
    "internal-topic-not-compacted",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="create it with --config cleanup.policy=compact",
)
def internal_topic_not_compacted(subject: Subject) -> Iterator[Violation]:
    """The topics of the workers that the file creates are compacted.

    A worker does not start with another policy: it would lose offsets and configurations.
    """
    for match in matches(subject.text, INTERNAL):
        topic = match["variable"] or match["property"]
        if any("compact" not in text for text in creations(subject.text, topic)):
            message = f"the file creates the topic '{topic}' of the workers without cleanup.policy=compact"
            yield Violation("connector.class", message)
            return


QUEUE = lazy_pattern(r"\bfifo_queue\s*=\s*true\b")


@rule(
    "queue-without-deduplication",
    Consequence.stop,
    of_names=True,
    evidence="N20",
    fix="set content_based_deduplication = true for the queue",
)
def queue_without_deduplication(subject: Subject) -> Iterator[Violation]:
    """A queue of SQS with an order, which the file creates, deduplicates by the content.

    Debezium Server sends no id for it: SQS refuses every message.
    """
    key = "debezium.sink.type"
    sends = subject.document.settings.get(key, "").strip() == "sqs" and QUEUE.search(subject.text)
    if sends and not re.search(r"\bcontent_based_deduplication\s*=\s*true\b", subject.text):
        yield Violation(key, "the queue in the file has no content_based_deduplication")


CONF = lazy_pattern(r"(?P<folder>/debezium/conf)(?![a-z-])")
CONFIG = lazy_pattern(r"/debezium/config(?![a-z-])")
MISPLACED = lazy_pattern(r"\bmountPath:[ \t]*(?P<folder>/conf(?:ig)?)[ \t]*$", re.MULTILINE)
"""A folder of a container that Debezium Server does not look into."""
ELSEWHERE = lazy_pattern(r"config\.locations|CONFIG_LOCATIONS")
"""What names another place of the settings."""
CONFIG_SINCE = Version.of("3.0")
"""The first release of Debezium Server that reads its settings from the folder config."""


@rule(
    "server-folder-of-settings",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="put application.properties into /debezium/config",
)
def server_folder_of_settings(subject: Subject) -> Iterator[Violation]:
    """The settings of Debezium Server are in the folder that it reads.

    Since 3.0 it reads the folder config alone, before conf too. Without its settings it ends: no debezium.sink.type.
    """
    key, text = "debezium.sink.type", subject.text
    if not subject.document.settings or ELSEWHERE.search(text):
        return
    place = MISPLACED.search(text) or (CONF.search(text) if subject.release >= CONFIG_SINCE else None)
    if place and not CONFIG.search(text):
        certain = subject.names_release or "mountPath" in place[0]
        consequence = None if certain else Consequence.risk
        message = f"Debezium {subject.release} reads /debezium/config, not {place['folder']}"
        yield Violation(key, message, consequence=consequence)


INSTALLED = lazy_pattern(r"\bconfluent-hub\s+install\b[^\n]*?\s(?P<plugin>[\w.-]+/[\w.-]+):")
CLASS = lazy_pattern(r"\bio\.debezium\.[\w.$]+")
MOUNTED = lazy_pattern(r"^[ \t]*-\s+\S+:/\S*(?:plugin|connect|java|jars|components)", re.MULTILINE)
"""A folder that may bring further plugins into the container."""


@rule(
    "plugin-not-installed",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="install Debezium too, such as debezium/debezium-connector-postgresql",
)
def plugin_not_installed(subject: Subject) -> Iterator[Violation]:
    """A worker whose plugins the file installs has Debezium's, if the connector has a class of Debezium.

    Kafka Connect refuses the connector: the class is not found.
    """
    plugins = [match["plugin"] for match in INSTALLED.finditer(subject.text)]
    if not plugins or subject.is_of_page or subject.document.partial or MOUNTED.search(subject.text):
        return
    if "debezium" in CLASS.sub("", subject.text).lower():
        return
    for key, value in subject.config.items():
        if CLASS.fullmatch(value.strip()):
            yield Violation(key, f"the worker has only {', '.join(plugins)}: it does not know '{value.strip()}'")
            return


IMAGE = lazy_pattern(r"\bimage:[ \t]*[\"']?[\w./-]*\bdebezium/connect:v?(?P<release>\d+\.\d+)")
OF_CONFLUENT = "io.confluent.connect."
ADDED = lazy_pattern(
    r"^[ \t]*build:|^FROM\b|EXTRA_CLASSPATH|KAFKA_CONNECT_PLUGINS_DIR|CONNECT_PLUGIN_PATH", re.MULTILINE
)
"""What brings further classes into a container."""


@rule(
    "converter-not-in-image",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="mount Confluent's converters into /kafka/connect, or use Apicurio's: ENABLE_APICURIO_CONVERTERS=true",
)
def converter_not_in_image(subject: Subject) -> Iterator[Violation]:
    """An image of Debezium has the converters of the connectors that it runs.

    Since 2.0 those of Confluent are not in it: Kafka Connect refuses the connector, because the class is not found.
    """
    image = IMAGE.search(subject.text)
    if image is None or Version.of(image["release"]) < Version.of("2.0"):
        return
    if ADDED.search(subject.text) or MOUNTED.search(subject.text) or OTHER_IMAGE.search(subject.text):
        return
    for part in ("key", "value"):
        name = subject.converter(part)
        if name.startswith(OF_CONFLUENT):
            yield Violation(f"{part}.converter", f"the image of Debezium {image['release']} has no '{name}'")
            return

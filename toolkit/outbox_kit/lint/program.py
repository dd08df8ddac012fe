"""What a program says of names: the texts that it assigns to them, and options by the fields of classes. Pure."""

import re
from collections.abc import Mapping
from functools import cache

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import options

LITERAL = r"(?P<literal>\"(?:[^\"\\\n]|\\.)*\"|'[^'\\\n]*')"
END = r"\s*[;,]?[ \t]*(?=\n|//|$)"
CONSTANT = lazy_pattern(
    r"(?<![\w.\[\"'])(?P<name>[A-Za-z_]\w*)(?:\s*:\s*[\w<>?&'][\w<>?&' ]{0,80})?\s*="
    rf"\s*{LITERAL}{END}"
)
FALLBACK = lazy_pattern(
    r"(?<![\w.\[\"'])(?P<name>[A-Za-z_]\w*)(?:\s*:\s*[\w<>?]+)?\s*=\s*(?!=)(?![\"'])[^\n;=]{1,200}?"
    rf"(?:\?\?|\|\||\?:)\s*{LITERAL}{END}"
)
"""A name with the text that it has where something else is not set."""
OF_ENVIRONMENT = lazy_pattern(
    rf"(?<![\w.\[\"'])(?P<name>[A-Za-z_]\w*)(?:\s*:\s*\w+)?\s*=\s*os\.(?:getenv|environ\.get)\(\s*[\"'][^\"'\n]*[\"']\s*,\s*{LITERAL}\s*\)"
)
"""A name with the text that it has where a variable of the environment is not set."""
ANNOTATED = lazy_pattern(
    r"(?:@Value\(\s*\"\\?\$\{[\w.\-\[\]]+:(?P<default>[^}\"]*)\}\"\s*\)|\bdefaultValue\s*=\s*\"(?P<literal>[^\"\n]*)\"[^()]{0,200}\))"
    r"\s*(?:@\w+\s*)*(?:(?:private|protected|public|final|static|var|val|lateinit)\s+)*(?:[\w<>]+\s+)?(?P<name>[a-z]\w*)\b"
)
"""A field with what it has where its setting is not set: of Spring, and of MicroProfile."""
ESCAPE = lazy_pattern(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
FIELD = lazy_pattern(
    r"(?:\w+\.)*\w*(?:ConnectorConfig|EmbeddedEngine|EngineConfig|StandaloneConfig|WorkerConfig)"
    r"\.(?P<field>[A-Z][A-Z0-9_]*?)(?:_CONFIG)?(?:\.name)?"
)
"""A field of a class of Debezium's or Kafka Connect's that is an option."""
OTHERWISE = {
    "DATABASE_NAME": "database.dbname",
    "ENGINE_NAME": "name",
    "DROP_SLOT_ON_STOP": "slot.drop.on.stop",
    "SSL_MODE": "database.sslmode",
    "OFFSET_FLUSH_INTERVAL_MS_PROP": "offset.flush.interval.ms",
    "SCHEMA_HISTORY": "schema.history.internal",
}
"""Options whose fields are called otherwise."""
UNSET = lazy_pattern(
    r"(?:[\w.?]*\benv\b[\w.?]*(?:\[[^\[\]]*\])?\s*(?:\|\||\?\?)\s*)(?P<quote>[\"'`])(?P<text>[^\"'`$]*)(?P=quote)$"
)
"""What a variable of the environment has where it is not set."""
OF_CLASS = lazy_pattern(r"(?:\|\||\?\?|\?:|,|\bor\b)\s*[\"'`](io\.debezium\.connector\.[\w.]+)[\"'`]\s*\)?$")
"""The class of a connector where a program is not given another one."""
SNAPSHOT_MODE = lazy_pattern(r"(?:\w+\.)*SnapshotMode\.(?P<mode>[A-Z_]+)(?:\.(?:getValue\(\)|value))?")
"""A mode as the enumeration of a connector has it, whose words are their values in capitals."""
RENAMED = lazy_pattern(
    r"rename\s*=\s*\"(?P<rust>[\w.]+)\"\s*\)\]\s*(?:pub(?:\(\w+\))?\s+)?(?P<field>\w+)\s*:"
    r"|^[ \t]*(?P<member>[A-Z]\w*)\s+[\w*\[\].]+\s+`[^`\n]*json:\"(?P<go>[\w.]+)",
    re.MULTILINE,
)
"""A field of a structure, and its name in JSON: of Rust's serde, and of Go's tags."""
GETTER = lazy_pattern(r"@JsonProperty\(\"(?P<option>[\w.]+)\"\)\s*[^;{}]{0,300}\{\s*return\s+(?P<value>[^;]{1,300});")
"""A method of Java that gives the value of a member in JSON."""
ACCESSOR = lazy_pattern(
    r"\[Json(?:Property|PropertyName)\(\"(?P<option>[\w.]+)\"\)\]\s*public\s+[\w?<>]+\s+\w+\s*\{[^{}]{0,200}\}"
    r"(?:\s*=\s*(?P<value>[^;]{1,300});)?"
)
"""A property of C# with its name in JSON, and its value."""
PREFIXES = ("", "database.", "mongodb.")
RETURNS = lazy_pattern(r"(?:\breturn|=>)\s*\(?\s*$")
"""What stands before a map that a function gives."""
HEADER = lazy_pattern(
    r"\b(?:def|function|func|fun)\s+(?P<name>\w+)\s*\(|\b(?:const|let|var)\s+(?P<arrow>\w+)\s*(?::[^=\n]*)?=\s*(?:async\s*)?\("
)
"""Where a function begins."""
JSONNET = lazy_pattern(r"^local \w+ = import ", re.MULTILINE)
"""What only Jsonnet has, in which all braces are those of maps."""
DECLARES_TYPE = lazy_pattern(r"\binterface\s+\w+[^{};]*$|\btype\s+\w+\s*=\s*$")
"""What stands before the members of a type of TypeScript, which are no values."""
IMPORTED = lazy_pattern(
    r"^[ \t]*import\s+(?P<path>(?:(?:io\.debezium|org\.apache\.kafka|io\.confluent)\.[\w.]*\.[A-Z]\w*)"
    r"|[a-z][\w.]*\.[A-Z]\w*Connector)\b",
    re.MULTILINE,
)
NAME_OF_CLASS = (
    *("{}.class", "{}.class.getName()", "{}.class.getCanonicalName()", "{}.class.getTypeName()"),
    *("{}::class.java", "{}::class.java.name", "{}::class.java.canonicalName", "{}::class.qualifiedName"),
    *("{}::class.qualifiedName!!", "{}::class.java.getName()", "classOf[{}].getName", "classOf[{}].getName()"),
)
"""What gives the name of a class in Java, Kotlin and Scala."""
LONGEST_HEADER, LONGEST_NAME = 4000, 120
RESULT = lazy_pattern(r"(?:\breturn\s+)?\b(\w+)\s*;?\s*$")
"""The end of a body that gives an object."""


def declares_type(text: str, at: int) -> bool:
    """Whether the bracket at an offset begins the members of a type."""
    return at > 0 and DECLARES_TYPE.search(text, max(0, at - LONGEST_NAME), at) is not None


def renamed_fields(text: str) -> Mapping[str, str]:
    """The names in JSON of a structure's fields."""
    return {match["field"] or match["member"]: match["rust"] or match["go"] for match in RENAMED.finditer(text)}


def unescaped(match: re.Match[str]) -> str:
    """The character of an escape."""
    return chr(int(match[1], 16)) if match[1] else ESCAPES.get(match[2], match[2])


def constants(text: str) -> Mapping[str, str]:
    """The names to which a program assigns one text, and no other one."""
    return _assigned(text, CONSTANT)


def fallbacks(text: str) -> Mapping[str, str]:
    """The names to which a program assigns a text where something else is not set."""
    assigned = _assigned(text, FALLBACK) if any(mark in text for mark in ("??", "||", "?:")) else {}
    annotated = {each["name"]: each["default"] or each["literal"] or "" for each in ANNOTATED.finditer(text)}
    environment = _assigned(text, OF_ENVIRONMENT) if "os." in text else {}
    return {
        **class_names(text),
        **assigned,
        **environment,
        **{name: value for name, value in annotated.items() if value},
    }


def class_names(text: str) -> Mapping[str, str]:
    """The whole names of the classes that a program imports, by the expressions that give them."""
    if "class" not in text or "import " not in text:
        return {}
    classes = {match["path"].rpartition(".")[2]: match["path"] for match in IMPORTED.finditer(text)}
    return {form.format(name): path for name, path in classes.items() for form in NAME_OF_CLASS}


def _assigned(text: str, pattern: re.Pattern[str]) -> Mapping[str, str]:
    values, repeated = dict[str, str](), set[str]()
    for match in pattern.finditer(text):
        value = ESCAPE.sub(unescaped, match["literal"][1:-1])
        if values.setdefault(match["name"], value) != value:
            repeated.add(match["name"])
    return {name: value for name, value in values.items() if name not in repeated}


def shown_value(expression: str) -> str | None:
    """The value that an expression has by itself, or where nothing else is given; None if it does not show one."""
    if unset := UNSET.search(expression):
        return unset["text"]
    if of_class := OF_CLASS.search(expression):
        return of_class[1]
    mode = SNAPSHOT_MODE.fullmatch(expression)
    return mode["mode"].lower() if mode else None


@cache
def option_of_field(text: str) -> str | None:
    """The option that a field of a class of Debezium's is, such as `PostgresConnectorConfig.HOSTNAME`.

    An empty text if the option is not known; None for other words.
    """
    match = FIELD.fullmatch(text)
    if match is None:
        return None
    name = match["field"].lower().replace("_", ".")
    if match["field"] in OTHERWISE:
        return OTHERWISE[match["field"]]
    option_names = {option for each in options.CONNECTOR_FILES for option in options.catalogue(each).options}
    candidates = [f"{prefix}{name}" for prefix in PREFIXES if f"{prefix}{name}" in option_names]
    return candidates[0] if candidates else name if name.startswith("offset.") else ""


def returned_by(text: str, at: int) -> str:
    """The function that returns the map which begins at an offset; empty if none does."""
    if not RETURNS.search(text, max(0, at - 20), at):
        return ""
    headers = list(HEADER.finditer(text, max(0, at - LONGEST_HEADER), at))
    return headers[-1]["name"] or headers[-1]["arrow"] if headers else ""


def body_of(text: str, function: str) -> int | None:
    """Where the body of a function begins, with its brace; None if the program does not define it."""
    header = re.search(rf"\b{re.escape(function)}\s*\([^(){{}}]*\)[^(){{}};=]*=?\s*\{{", text)
    return header.end() - 1 if header else None


def result_of(text: str, opening: int) -> str:
    """The object that the body of a function gives in its last line; empty if that is an expression."""
    depth = 0
    for brace in re.finditer(r"[{}]", text[opening : opening + LONGEST_HEADER]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            result = RESULT.search(text, opening, opening + brace.start())
            return result[1] if result else ""
    return ""

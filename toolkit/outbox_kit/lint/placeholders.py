"""Values that are not known from the file: placeholders of templates, and references that the worker resolves. Pure."""

from collections.abc import Mapping

from outbox_kit.lazy_pattern import lazy_pattern

BRACED = lazy_pattern(r"(?<![$\\#{])\{(?!routedByValue\})[A-Za-z_][\w.]*\}(?!\})")
"""What a program replaces, such as `{tenant}`."""
OF_VARIABLE = lazy_pattern(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
CAPITALS = lazy_pattern(r"[A-Z]{2,}")
NAMED_LIKE_VARIABLES = ("password", "user", "hostname", "dbname", "server.id", "port", "connection.string")
"""Ends of options whose value is to be filled in, if it is written like a variable."""
FILLED_IN = (".list", "tasks.max", "plugin.name", "sslmode", "ssl.mode", "topic.prefix", "server.name", "snapshot.mode")
"""Ends of further options whose value is to be filled in, if a page has it written like a variable."""
FILES_TO_FILL = lazy_pattern(r"\.(?:example|template|sample|dist)$|(?:^|/)values[^/]*\.ya?ml$")
"""Files whose empty values are to be filled in."""
LOGIN = ("database.hostname", "database.user", "database.password")
"""Options of which a config that somebody is to fill in, or has made public, has several empty ones."""
OF_NUMBERS = ("tasks.max", ".port", ".ms", ".size", "server.id")
"""Ends of options whose value is a number, and in which a word in capitals stands for one."""
REFERENCE = lazy_pattern(r"\$\{[^{}]+\}")
PLACEHOLDER = lazy_pattern(r"\$\([^()]*\)")
"""What stands for a value of any template language, as the formats read it."""
WORD = lazy_pattern(
    PLACEHOLDER.pattern
    + r"|\$[A-Z_][A-Z0-9_]*(?![a-z])|%\(?\w+\)?%|%\(\w+\)s|(?<![%\w])%[sdvq](?![%\w])|#\{[^{}]+\}|<%[^%]*%>"
    r"|__[A-Z0-9_]+__|(?<![\w.])@[\w.-]+@(?![\w.])|@[A-Z][A-Z0-9_.-]*@"
)
ANGLED = lazy_pattern(r"(?<!\?)(?<!\?P)<[^\W\d_][^<>=!]*>|\[\[[\w .-]+\]\]|\[[A-Z][A-Z_ -]+\]")
TO_FILL = lazy_pattern(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:HERE|PLACEHOLDER|TODO)|(?:YOUR|MY|REPLACE)_[A-Z0-9_]+|CHANGE_?ME_?[A-Z_]*"
    r"|(?i:[<[(*]*(?:redacted|masked|hidden|placeholder|your[_-]?(?:own[_-]?)?(?:password|user(?:name)?|secret|host|db|database)\w*)[>\])*]*)"
    r"|(?i:your[_-](?!own_)[\w-]+)|(?:string|integer|int|long|boolean|enum|number) \(.*\)|boolean|integer"
)
"""A value that says that it is to be replaced, or what kind of value it has to be."""
MEMBER = lazy_pattern(r"\$[A-Za-z_]\w*\.[\w.]+")
"""A value that is a member of a variable."""
HIDDEN = lazy_pattern(r"[xX]{3,}|\.{3,}|\*{3,}|…|\W*<<.*>>\W*")
"""What stands in place of a value that is not shown."""
PLAIN = lazy_pattern(r"[\w.,:/*-]+")
DEFAULTED = lazy_pattern(r"\$\([^()\s=]*=([\w.,:/*-]+)\)")
EXPANDED_REFERENCE = "$(expanded-reference)"
"""What stands in place of a reference to a config provider that a shell replaces."""
INVALID_VARIABLE = "$(invalid-variable)"
"""Where Docker Compose refuses a dollar sign."""
GROUP = lazy_pattern(r"\$\{([A-Za-z0-9]+)\}")
"""A group in a replacement, or what is meant for one: Java refuses a name that begins with a digit."""
NOT_IN_NAME = lazy_pattern(r"[^\w.]+")
EXPRESSIONS = (".regex", ".replacement", ".pattern")
"""Options in whose values `${name}` is a group, and angles are the syntax of Java."""


def placeholder(expression: str, default: str = "") -> str:
    """What stands in a text in place of an expression of a template language, with its words as the name.

    default: what the language puts in where the expression has no value, if that is a plain word.
    """
    suffix = f"={default}" if PLAIN.fullmatch(default) else ""
    return f"$({NOT_IN_NAME.sub('_', expression).strip('_')}{suffix})"


def with_defaults(value: str) -> str:
    """The value of an option with the defaults of its expressions."""
    return DEFAULTED.sub(lambda match: match[1], value)


def is_open(key: str, value: str) -> bool:
    """Whether the file does not say what an option's value is, or not all of it."""
    if (
        WORD.search(value)
        or MEMBER.fullmatch(value.strip())
        or HIDDEN.fullmatch(value.strip())
        or TO_FILL.fullmatch(value.strip())
    ):
        return True
    if BRACED.search(value) or (key.endswith(NAMED_LIKE_VARIABLES) and OF_VARIABLE.fullmatch(value.strip())):
        return True
    if key.endswith(OF_NUMBERS) and CAPITALS.fullmatch(value.strip()):
        return True
    if key.endswith(EXPRESSIONS):
        outside = GROUP.sub(lambda match: match[0] if _is_variable(match[1]) else "", value)
        return REFERENCE.search(outside) is not None
    return REFERENCE.search(value) is not None or ANGLED.search(value) is not None


def open_keys(config: Mapping[str, str], source: str, *, is_of_page: bool) -> frozenset[str]:
    """The options whose values a file does not say. source: its name. is_of_page: whether it is an example."""
    empty = sum(key in config and not config[key].strip() for key in LOGIN)
    is_to_fill = FILES_TO_FILL.search(source) is not None or empty > 1
    return frozenset(
        key
        for key, value in config.items()
        if is_open(key, value) or (is_to_fill and not value) or (is_of_page and is_named_like_variable(key, value))
    )


def is_named_like_variable(key: str, value: str) -> bool:
    """Whether a page has the name of what is to be filled in as the value of an option, such as `PG_TABLES`."""
    return key.endswith(FILLED_IN) and OF_VARIABLE.fullmatch(value.strip()) is not None


def _is_variable(name: str) -> bool:
    """Whether a name is an environment's rather than a group's."""
    return len(name) > 1 and name.isupper()

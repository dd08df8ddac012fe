"""Values that are not known from the file: placeholders of templates, and references that the worker resolves. Pure."""

import re

REFERENCE = re.compile(r"\$\{[^{}]+\}")
WORD = re.compile(
    r"\$\([^()]*\)"  # of every template language, as the formats read it
    r"|\$[A-Z_][A-Z0-9_]*|%\(?\w+\)?%|%\(\w+\)s|#\{[^{}]+\}|<%[^%]*%>|__[A-Z0-9_]+__|(?<![\w.])@[\w.-]+@(?![\w.])|@[A-Z][A-Z0-9_.-]*@"
)
ANGLED = re.compile(r"(?<!\?)(?<!\?P)<[A-Za-z][^<>=!]*>|\[\[[\w .-]+\]\]|\[[A-Z][A-Z_ -]+\]")
HIDDEN = re.compile(r"[xX]{3,}|\.{3,}|\*{3,}|…|\W*<<.*>>\W*")
"""What stands in place of a value that is not shown."""
GROUP = re.compile(r"\$\{([A-Za-z][A-Za-z0-9]*)\}")
NOT_IN_NAME = re.compile(r"[^\w.]+")
EXPRESSIONS = (".regex", ".replacement", ".pattern")
"""Options in whose values `${name}` is a group, and angles are the syntax of Java."""


def placeholder(expression: str) -> str:
    """What stands in a text in place of an expression of a template language, with its words as the name."""
    return f"$({NOT_IN_NAME.sub('_', expression).strip('_')})"


def is_open(key: str, value: str) -> bool:
    """Whether the file does not say what an option's value is, or not all of it."""
    if WORD.search(value) or HIDDEN.fullmatch(value.strip()):
        return True
    if key.endswith(EXPRESSIONS):
        outside = GROUP.sub(lambda match: match[0] if _is_variable(match[1]) else "", value)
        return REFERENCE.search(outside) is not None
    return REFERENCE.search(value) is not None or ANGLED.search(value) is not None


def _is_variable(name: str) -> bool:
    """Whether a name is an environment's rather than a group's."""
    return len(name) > 1 and name.isupper()

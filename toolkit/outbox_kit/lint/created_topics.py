"""The topics that a text creates: commands, resources of Strimzi and of Terraform. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import documents, terraform_resources
from outbox_kit.lint.shell_functions import FUNCTION, calls, values

CREATED = lazy_pattern(r"(?:\bkafka-topics(?:\.sh)?\b|\$\(\w+\)|\$\{?\w+\}?)(?:[^\n;|&\\]|\\\n|\\.)*")
"""The command that creates a topic, with its continuations; a variable may stand for its name."""
KAFKA_TOPIC = lazy_pattern(r"^kind:[ \t]*KafkaTopic[ \t]*$", re.MULTILINE)
LISTED = lazy_pattern(
    r"^(?P<indent>[ \t]*)- name:[ \t]*\S+[ \t]*\n(?:(?P=indent)[ \t]+\S.*\n){0,9}?[ \t]*cleanup\.policy:.*\n",
    re.MULTILINE,
)
"""A topic in the values of a chart."""
LOOP = lazy_pattern(
    r"\bfor\s+(?P<name>\w+)\s+in\s+(?P<words>[^;\n]+?)\s*[;\n]\s*do\b(?P<body>.{0,4000}?)\bdone\b", re.DOTALL
)
"""A loop of a shell over words."""
OF_RESOURCE = lazy_pattern(r"\$\(\w*kafka_topic\.(\w+)\.\w+\)")
"""What stands in place of the name of a topic that Terraform creates."""


def creations(text: str, topic: str) -> Iterator[str]:
    """The commands and resources of a text that create a topic."""
    every, blocks = _all_creations(text)
    if resource := OF_RESOURCE.fullmatch(topic):
        yield from (block for name, block in blocks.items() if name == resource[1])
        return
    name = re.compile(rf"(?<![\w.-]){re.escape(topic)}(?![\w.-])")
    yield from filter(name.search, every)


@lru_cache(maxsize=4)
def _all_creations(text: str) -> tuple[Sequence[str], Mapping[str, str]]:
    """The commands and resources that create topics, and the resources of Terraform by their names."""
    resources = terraform_resources(text).items()
    blocks = {name: block for (kind, name), block in resources if kind.endswith("kafka_topic")}
    commands = [match[0] for match in CREATED.finditer(text) if "--create" in match[0]] if "--create" in text else []
    commands = [*commands, *(command for loop in LOOP.finditer(text) for command in _repeated(loop))]
    functions = FUNCTION.finditer(text) if "--create" in text else ()
    commands = [*commands, *(command for function in functions for command in _called(function, text))]
    of_strimzi = [part for part in documents(text) if KAFKA_TOPIC.search(part)] if "KafkaTopic" in text else []
    listed = [match[0] for match in LISTED.finditer(text)] if "cleanup.policy" in text else []
    return [*commands, *of_strimzi, *listed, *blocks.values()], blocks


def _called(function: re.Match[str], text: str) -> Iterator[str]:
    """The commands of a function that creates a topic, for each of its calls on a line of its own."""
    name, commands = function["keyword"] or function["name"], CREATED.findall(function["body"])
    for arguments in calls(name, text) if "--create" in function["body"] else ():
        for command in commands:
            filled = command
            for parameter, word in values(function["body"], arguments).items():
                filled = word.join(re.split(rf"\$(?:\{{{parameter}\}}|{parameter}(?!\w))", filled))
            if "--create" in filled:
                yield filled


def _repeated(loop: re.Match[str]) -> Iterator[str]:
    """The commands of a loop that create topics, for each of its words: its name may be the part before a colon."""
    variable = re.compile(rf"\$(?:{loop['name']}\b|\{{{loop['name']}\b[^}}]*\}})")
    for command in CREATED.finditer(loop["body"]):
        for word in loop["words"].split() if "--create" in command[0] else ():
            yield word.strip("\"'").partition(":")[0].join(variable.split(command[0]))

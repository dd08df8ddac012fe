"""YAML: of Strimzi, Helm, Ansible, ConfigMaps, Docker Compose, and connectors as plain YAML."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode
from ruamel.yaml.nodes import Node as YamlNode

from outbox_kit.errors import BadConfigFile
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document
from outbox_kit.lint.excerpt import Excerpt, joined
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.nodes import Items, Members, Node, TextValue
from outbox_kit.lint.placeholders import INVALID_VARIABLE, placeholder
from outbox_kit.lint.tree import Tree
from outbox_kit.lint.words import names_connector
from outbox_kit.schema import yaml

MERGE = "<<"
OF_CLOUD_FORMATION = lazy_pattern(r"!(?:Ref|Sub|Join|GetAtt|FindInMap|ImportValue|If|Select|Split|Base64|Transform)")
FUNCTION = lazy_pattern(r"Ref|Fn::\w+")
COMPOSE = lazy_pattern(r"\$\$|\$\{([^{}]*)\}|\$([A-Za-z_]\w*)|(?P<invalid>\$)")


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a text. Raises BadConfigFile."""
    for root in _roots(excerpt):
        compose = _is_compose(root)
        for document in Tree(excerpt, _Nodes(excerpt, compose=compose).node(root), "yaml", nested).documents():
            yield replace(document, expands=document.expands or "Docker Compose") if compose else document


FORMAT = TextFormat(
    rank=90,
    title="YAML",
    suffixes=(".yaml", ".yml"),
    recognises=lambda _: True,
    read=read,
    expected="a resource of kind KafkaConnector, a mapping with connector.class, or a schema file",
)


def _roots(excerpt: Excerpt) -> list[YamlNode]:
    """The documents of a text. A text behind them that is no YAML is left out if it has no connector."""
    roots = list[YamlNode]()
    try:
        for root in yaml.composed(excerpt.text):
            roots.append(root)  # one by one, so that those before a mistake are kept
    except YAMLError as cause:
        is_refused = isinstance(cause, yaml.RefusedYaml)
        if roots and not is_refused and not names_connector(excerpt.text[roots[-1].end_mark.index :]):
            return roots
        problem = "unsupported YAML" if is_refused else "invalid YAML"
        mark = getattr(cause, "problem_mark", None) or getattr(cause, "context_mark", None)
        line, column = excerpt.spot(min(mark.index, len(excerpt.text)) if mark else 0)
        raise BadConfigFile(problem, where=f"{line}:{column}", why=yaml.why(cause)) from None
    except (ValueError, RecursionError, AttributeError, TypeError) as cause:
        raise BadConfigFile("invalid YAML", why=" ".join(str(cause).split())) from None
    return roots


def _function(node: YamlNode) -> str:
    """The function of CloudFormation that gives a value; empty if none does."""
    if OF_CLOUD_FORMATION.fullmatch(tag := node.tag or ""):
        return tag.removeprefix("!")
    names = [key.value for key, _ in node.value] if isinstance(node, MappingNode) else []
    return names[0] if len(names) == 1 and FUNCTION.fullmatch(str(names[0])) else ""


def _is_compose(root: YamlNode) -> bool:
    names = [key.value for key, _ in root.value] if isinstance(root, MappingNode) else []
    return "services" in names and "kind" not in names


class _Nodes:
    """From nodes of YAML to values with their places."""

    def __init__(self, excerpt: Excerpt, *, compose: bool) -> None:
        """compose: whether Docker Compose replaces variables in the values."""
        self._excerpt = excerpt
        self._compose = compose

    def node(self, node: YamlNode) -> Node:
        """A value."""
        at = node.start_mark.index
        if function := _function(node):
            return TextValue(self._excerpt.text_at(at, placeholder(function)), at)
        if isinstance(node, MappingNode):
            return self._members(node, at)
        if isinstance(node, SequenceNode):
            return Items([self.node(item) for item in node.value], at)
        if not isinstance(node, ScalarNode):
            raise TypeError(f"unknown node {node.tag}")
        return TextValue(self._replaced(self._text(node)), at)

    def _members(self, node: MappingNode, at: int) -> Members:
        pairs, merged, partial = list[tuple[TextValue, Node]](), list[tuple[TextValue, Node]](), False
        for key, value in node.value:
            if isinstance(key, ScalarNode) and key.value == MERGE:
                for part in value.value if isinstance(value, SequenceNode) else [value]:
                    tree = self.node(part)
                    merged += tree.pairs if isinstance(tree, Members) else ()
                    partial = partial or not isinstance(tree, Members)
            elif isinstance(key, ScalarNode):
                pairs.append((TextValue(self._text(key), key.start_mark.index), self.node(value)))
        names = {key.text for key, _ in pairs}
        return Members([*((key, value) for key, value in merged if key.text not in names), *pairs], at, partial)

    def _text(self, node: ScalarNode) -> Excerpt:
        """The text of a value with the places of its characters, where it stands there as it is."""
        start, end = node.start_mark.index, node.end_mark.index
        text = "" if node.tag == "tag:yaml.org,2002:null" else node.value
        if node.tag == "tag:yaml.org,2002:bool":
            text = text.lower()
        for shift in (0, 1):
            if self._excerpt.text[start + shift : start + shift + len(text)] == text and start + shift <= end:
                return self._excerpt.part(start + shift, start + shift + len(text))
        return self._block(start, end, text) if node.style == "|" else self._excerpt.text_at(start, text)

    def _block(self, start: int, end: int, text: str) -> Excerpt:
        """The text of a block, whose lines are indented in the file."""
        parts, at = list[Excerpt](), self._excerpt.text.find("\n", start) + 1
        for line in text.splitlines(keepends=True):
            stop = self._excerpt.text.find("\n", at, end)
            stop = end if stop < 0 else stop
            bare = line.rstrip("\n")
            begin = stop - len(bare)
            if begin < at or self._excerpt.text[begin:stop] != bare:
                return self._excerpt.text_at(start, text)
            parts.append(self._excerpt.part(begin, min(begin + len(line), len(self._excerpt.text))))
            at = stop + 1
        whole = joined(parts) if parts else self._excerpt.text_at(start, "")
        return whole if whole.text == text else self._excerpt.text_at(start, text)

    def _replaced(self, excerpt: Excerpt) -> Excerpt:
        return excerpt.replaced(COMPOSE, _variable) if self._compose else excerpt


def _variable(match: re.Match[str]) -> str:
    """What Compose puts in: a dollar sign for two, else a variable's value as a placeholder."""
    if match["invalid"]:
        return INVALID_VARIABLE
    name, _, default = re.sub(r":?-", "\0", match[1] or match[2] or "", count=1).partition("\0")
    name = re.split(r":?[+?]", name)[0]
    return placeholder(name, default) if name else "$"

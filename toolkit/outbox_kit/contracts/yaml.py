"""A document as YAML: block style, keys in their order, texts that look like something else in quotes."""

from io import StringIO
from typing import Any

from ruamel.yaml import YAML


def written(document: Any) -> str:
    """The document's text; the same for the same document."""
    yaml, buffer = YAML(typ="rt"), StringIO()
    yaml.width = 120
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.dump(document, buffer)
    return buffer.getvalue()

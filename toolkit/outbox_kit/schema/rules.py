"""Rules across the fields of a message, in the Common Expression Language (CEL): what JSON Schema cannot express.

A rule knows `payload`, the document; `key`, a text; and `headers`, texts by name.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern

SHOWN = 200  # characters of an invalid rule
KNOWN = {"payload", "key", "headers"}
TYPES = {"bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"}
BOUND = lazy_pattern(r"\.(?:all|exists|exists_one|map|filter)\(\s*(\w+)\s*,")  # names that a macro makes


@dataclass(frozen=True)
class CelRule:
    """One rule, ready to be asked."""

    text: str
    program: Any

    def holds(self, message: Mapping[str, Any]) -> bool:
        """Whether a message keeps it; one in which the rule finds nothing to compare does not."""
        return self.why_not(message) is None

    def why_not(self, message: Mapping[str, Any]) -> str | None:
        """What is found instead, without any of the message's values; None where it holds."""
        try:
            result = self.program.execute(message)
        except KeyError as cause:
            return f"no '{cause.args[0]}'"
        except Exception:  # which one the library raises depends on the values
            return "values that cannot be compared so"
        return None if result is True else "otherwise"


def rule(text: str) -> CelRule:
    """A rule from its text. Raises ValueError if the text is not valid CEL."""
    try:
        program = _cel().compile(text)
    except Exception as cause:
        text = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
        message = str(cause).partition("\n")[0].partition("ERROR: <input>:")[2]
        raise ValueError(f"invalid rule '{text}': expected CEL{f': {message}' if message else ''}") from None
    if unknown := sorted(set(program.variables()) - KNOWN - TYPES - set(BOUND.findall(text))):
        raise ValueError(f"unknown name '{unknown[0]}' in the rule '{text}': expected payload, key or headers")
    return CelRule(text, program)


@cache
def _cel() -> ModuleType:
    """The compiled module of the package `cel`, without the terminal client that the package imports before it: half of
    the time that `check` takes for a schema file with rules."""
    package, name = find_spec("cel"), "cel.cel"
    spec = PathFinder.find_spec(name, package.submodule_search_locations) if package else None
    if spec is None or spec.loader is None:  # a release of another structure
        import cel

        return cel
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

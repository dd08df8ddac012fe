"""A parser of SQL Server's language, for scripts and for the statements that they put together."""

import re
from contextlib import suppress
from functools import cache
from typing import Any

from tests.support import passed

# what the parser does not know: a bracket in brackets, a default for the rows that are there, what can be done with a
# login but make one, moving a table
UNKNOWN = {
    "]]": "_",
    " with values": "",
    "drop login": "drop user",
    r"alter login \[[^]]*\] disable": "select 1",
    r"alter schema \[[^]]*\] transfer": "drop table",
}
TEXT = r"N'((?:[^']|'')*)'"
MADE = {  # statements that the script puts together, and what stands for the server's part of each
    rf"exec \({TEXT}\)": r"\1",
    rf"{TEXT} \+ quotename\((?:held\.)?name\)(?! \+ N' check)": r"\1[x]",
    rf"{TEXT} \+ quotename\(held\.name\) \+ N' check ' \+ held\.\[definition\]": r"\1[x] check (1 = 1)",
    rf"{TEXT} \+ quotename\(.*\)\n *\+ {TEXT}": r"\1[x]\2",
    rf"{TEXT}\n *\+ replace\(.*?\) \+ N''''": r"\1x''",
    rf"{TEXT} \+ convert\(.*\)\n *\+ {TEXT}": r"\g<1>00\2",
    rf"{TEXT} \+ iif\(cast\(serverproperty.*, {TEXT}, N''\)": r"\1\2",
    rf"permission_name \+ {TEXT}": r"grant select\1[x]",
    rf"\n +{TEXT},\n": r"\1",
    rf"concat\({TEXT},\n *iif\(minor_id": r"\1",
}


@cache
def _parser() -> Any:
    from sqlfluff.core import FluffConfig, Linter  # a second to import, for nothing where all scripts are known

    return Linter(config=FluffConfig(overrides={"dialect": "tsql", "large_file_skip_byte_limit": 0}))


class Refused(Exception):
    """The parser does not take a script."""


@cache
def complaints(script: str) -> list[str]:
    """What the parser finds in a script; a script that it took before is not parsed again."""
    for unknown, known in UNKNOWN.items():
        script = re.sub(unknown if "\\" in unknown else re.escape(unknown), known, script)
    violations: list[str] = []

    def parse() -> None:
        violations.extend(str(violation.desc()) for violation in _parser().parse_string(script).violations)
        if violations:
            raise Refused

    with suppress(Refused):
        passed.once("sqlfluff", parse, script)
    return violations


def put_together(script: str) -> list[str]:
    found = [match.expand(whole) for made, whole in MADE.items() for match in re.finditer(made, script)]
    return [text.replace("''", "'") for text in found]

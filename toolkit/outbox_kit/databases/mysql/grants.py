"""Which rights a list of GRANTs gives, and which are missing for what is to be done. Pure."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from outbox_kit.lazy_pattern import lazy_pattern

# a right, on what (`*.*`, `schema`.*, `schema`.`table`), and whether it may be passed on
Right = tuple[str, str, bool]

NAME = r"(?:\*|`(?:[^`]|``)*`)"
GRANT = lazy_pattern(
    rf"^grant (?P<rights>.+?) on (?P<what>{NAME}\.{NAME}) to .+?(?P<passed> with grant option)?;?$",
    re.IGNORECASE | re.MULTILINE,
)
COMMA = lazy_pattern(r",\s*(?![^(]*\))")  # not one within a list of columns
WILD = {"_": ".", "%": ".*"}


def granted(statements: str) -> Iterator[Right]:
    """The rights that GRANT statements give, one a line; one on columns is another right, and names them."""
    for grant in GRANT.finditer(statements):
        for right in COMMA.split(grant["rights"]):
            yield right.upper(), grant["what"], grant["passed"] is not None


def lacking(listed: Iterable[str], needed: Iterable[Right]) -> set[Right]:
    """Those of the needed rights that nothing gives.

    listed: what SHOW GRANTS says of the user: it has what comes by a role that is in force, and no other role's.
    """
    rights = [right for line in listed for right in granted(line)]
    return {
        (right, object_name, passed)
        for right, object_name, passed in needed
        if not any(
            name in (right, "ALL PRIVILEGES") and p >= passed and _covers(on, object_name) for name, on, p in rights
        )
    }


def spelled(rights: Iterable[Right]) -> Iterator[str]:
    """Rights as a GRANT would name them, once for each object."""
    for (object_name, passed), rights_of_object in groupby(sorted(rights, key=itemgetter(1, 2, 0)), itemgetter(1, 2)):
        names = ", ".join(right for right, _, _ in rights_of_object)
        yield f"{names} on {object_name}{' with grant option' if passed else ''}"


def _covers(granted_object: str, needed_object: str) -> bool:
    """Whether a right on the one is a right on the other; a database's name may be a pattern where it is held."""
    (schema, table), (of, needed_table) = (re.findall(NAME, name) for name in (granted_object, needed_object))
    pattern = "".join(WILD.get(token) or re.escape(token[-1]) for token in re.findall(r"\\.|.", schema))
    return table in ("*", needed_table) and (schema in ("*", of) or bool(re.fullmatch(pattern, of)))

"""The types of columns that each connector knows: a file for each database in connectors/columns/.

Each has Connect's type and Debezium's logical name, by the database's own type name in lower case, without its length.
Measured on 3.6 and 3.7, the rest from Debezium's tables. What a connector's modes decide about has a family instead:

  temporal  a date and time without a zone (time.precision.mode and the column's own precision)
  date, time, zoned, decimal, number, binary   likewise
  guid      text in upper case, whatever was written
  bits      true or false for a single one, else bytes, the first bits first

`unknown` of a type: parameters of its schema that no type's name has. `defaults` of a file: how the connector reads a
column's default, where that is known; `default` of a type names the form.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from outbox_kit import data_file
from outbox_kit.assets import CONNECTORS


class NoSuchType(ValueError):
    """A type that the connector's table does not have."""


@cache
def column_types(dialect: str) -> Mapping[str, Any]:
    """The file of a database; `like` in it names another database, whose types are its own too. Raises NoSuchType.

    precision: digits of a second where the type names none. time: the time.precision.mode where the config names none,
    if not adaptive.
    """
    file = CONNECTORS / "columns" / f"{dialect}.yaml"
    if not file.exists():
        raise NoSuchType(f"no table of types for '{dialect}'")
    table: dict[str, Any] = data_file.values(file)
    if "like" not in table:
        return table
    other = column_types(table["like"])
    return {**other, **table, "types": {**other["types"], **table["types"]}}

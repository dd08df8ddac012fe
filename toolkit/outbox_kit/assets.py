"""Where templates, option registries and the stack manifest live.

In a wheel they are shipped as `_assets` beside this module; in a checkout (also an editable
install, whose forced files would be stale copies) they are the folders at the repository's root.
"""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_SHIPPED = _PACKAGE / "_assets"

ROOT = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parents[1]
TEMPLATES = ROOT / "templates"
CONNECTORS = ROOT / "connectors"
COMPOSE = ROOT / "compose"

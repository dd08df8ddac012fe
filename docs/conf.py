"""How Sphinx builds the documentation: `make site`."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION = re.search(r'__version__ = "([^"]+)"', (ROOT / "toolkit" / "outbox_kit" / "__init__.py").read_text())

project = "outbox-kit"
author = "the outbox-kit authors"
copyright = author
release = version = VERSION[1] if VERSION else ""
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"outbox-kit {release}"
html_theme_options = {
    "source_repository": "https://github.com/outbox-kit/outbox-kit/",
    "source_branch": "main",
    "source_directory": "docs/",
}
html_extra_path = ["reference/outbox-kit.schema.json"]
html_static_path: list[str] = []
html_show_copyright = False
myst_heading_anchors = 4

suppress_warnings = ["misc.highlighting_failure"]  # `...` within a sample
exclude_patterns = ["pictures"]

"""The first steps are the same wherever a new user reads them."""

import re
from pathlib import Path

import pytest

from outbox_kit.render import starter

ROOT = Path(__file__).parents[3]
COMMANDS = [step for step, _ in starter.FIRST_RUN if step.startswith("outbox-kit")]
ADDRESS = starter.DatabaseAddress("postgres", "shop", "localhost", 5432)


def commands_in(text: str) -> list[str]:
    """The commands of the first steps as a text has them, in its order; other commands are left out."""
    names = "|".join(command.split()[1] for command in COMMANDS)
    lines = re.findall(rf"outbox-kit (?:{names})\b[^#\n]*", text)
    return [re.sub(r"  .*", "", line).strip() for line in lines]


def test_the_schema_file_and_init_name_the_same_steps() -> None:
    schema_file = starter.files("shop", ADDRESS, [])["outbox.yaml"]
    assert [line in schema_file for line in starter.next_steps()] == [True] * len(starter.FIRST_RUN)


@pytest.mark.parametrize("page", ["README.md", "docs/quickstart.md", "docs/quickstart-existing.md"])
def test_a_page_has_the_steps_in_the_same_order(page: str) -> None:
    text = (ROOT / page).read_text()
    rest = iter(commands_in(text[text.index("outbox-kit init") :]))
    for command in COMMANDS:
        # an administrator sets the password where outbox-kit may not
        wanted = command.removesuffix(" --password-env OUTBOX_DB_PASSWORD") if "existing" in page else command
        assert any(line.startswith(wanted) for line in rest), command

"""Where the documentation describes a rule: the address of its entry on the page of rules. Pure."""

from outbox_kit.findings.rule import Rule

SITE = "https://outbox-kit.github.io/outbox-kit/"
"""The documentation, as pyproject.toml names it."""
RULES_PAGE = f"{SITE}reference/rules.html"


def rule_url(rule: Rule) -> str:
    """The address of a rule's entry, whose heading is the rule's id."""
    return f"{RULES_PAGE}#{rule.id.lower()}"

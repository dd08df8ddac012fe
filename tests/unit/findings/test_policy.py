"""Groups, profiles and selections of rules, and where each rule is documented."""

import re
import tomllib

import pytest

from outbox_kit.errors import UnknownName
from outbox_kit.explain.rules import CATALOGUES, rules
from outbox_kit.explain.rules import page as rule_page
from outbox_kit.findings.documentation import RULES_PAGE, SITE, rule_url
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.policy import Policy, parsed, policy
from outbox_kit.findings.profiles import DEFAULT, PROFILES, Profile
from outbox_kit.findings.rule import Group, Rule, RuleCatalogue, Severity
from outbox_kit.lint.rule import RULES, Consequence
from tests.support import pages
from tests.support.cli import invoke
from tests.support.each import ROOT


def test_a_group_has_the_title_of_its_rules_and_no_rule_has_a_group_s_name() -> None:
    for catalogue in CATALOGUES:
        names = catalogue.sets()
        assert not set(names) & {rule.id for rule in catalogue}
        for rule in catalogue:
            assert rule.id in catalogue.members(rule.group.title.lower().replace(" ", "-"))
    assert RULES.members("acks") == ["acks"]
    assert len(RULES.members("headers")) > 1


def test_a_catalogue_has_more_sets_by_conditions_of_its_own() -> None:
    grave = {"grave": lambda rule: rule.severity is Severity.error}
    catalogue = RuleCatalogue("check", "outbox_kit.findings.formats", Rule, sets=grave)
    for name, severity in (("a", Severity.error), ("b", Severity.info), ("c", Severity.error)):
        catalogue.define(id=name, severity=severity, title="", group=Group("Two words"))
    assert catalogue.members("grave") == ["a", "c"]
    assert catalogue.members("two-words") == ["a", "b", "c"]
    assert parsed([], [], catalogue, ["grave"]).selected == {"a", "c"}


def test_a_group_is_explained_and_listed_on_the_page_of_rules() -> None:
    shown = invoke("explain", "routing").stdout
    assert "routing (group of rules, outbox-kit check)\n" in shown
    for rule in RULES.members("routing"):
        assert f"\n  {rule} " in shown
    page = rule_page()
    for name in RULES.sets():
        links = ", ".join(f"[{rule}](#{rule})" for rule in RULES.members(name))
        assert f"\n- `{name}`: {links}\n" in page


def test_a_name_that_is_neither_is_told_with_the_nearest_one() -> None:
    with pytest.raises(UnknownName, match="rule or group 'routng' not found; did you mean 'routing'"):
        RULES.members("routng")


def test_a_rule_s_own_entry_decides_over_its_group_s_whatever_their_order() -> None:
    for severities in (["acks=info", "delivery=off"], ["delivery=off", "acks=info"]):
        decided = parsed(severities, [], RULES)
        assert decided.severities["acks"] is Severity.info
        assert {decided.severities[rule] for rule in RULES.members("delivery") if rule != "acks"} == {None}


def test_a_group_is_accepted_with_one_reason_and_an_option_of_it_too() -> None:
    decided = parsed([], ["delivery=known", "headers:transforms.outbox.x=other"], RULES)
    assert decided.ignored["acks"] == "known"
    rule = RULES.members("headers")[0]
    assert decided.ignored[f"{rule}:transforms.outbox.x"] == "other"


def test_only_selected_rules_are_on_and_a_severity_turns_no_other_rule_on() -> None:
    decided = parsed(["snapshot-mode-initial=error"], [], RULES, ["keys, acks", "headers"])
    on = {rule.id for rule in RULES if not decided.off(rule)}
    assert on == {"acks", *RULES.members("keys"), *RULES.members("headers")}
    over = parsed([], [], RULES, ["keys"]).over(decided)
    assert over.selected == frozenset(RULES.members("keys"))


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_a_profile_changes_severities_that_are_not_explicit(name: str) -> None:
    profile = PROFILES[name]
    decided = policy({"acks": "info"}, {}, RULES, profile=name)
    for rule in RULES:
        if rule.strict and not profile.complete:  # which this profile leaves out
            assert decided.apply([Finding(rule, rule.severity)]) == []
            continue
        finding = Finding(rule, rule.severity, facts={"consequence": rule.consequence.name})
        expected = Severity.info if rule.id == "acks" else profile.severity(finding)
        (finding,) = decided.apply([finding])
        assert finding.severity is expected


def test_strict_raises_warnings_and_infos_and_the_default_raises_nothing() -> None:
    assert PROFILES[DEFAULT] == Profile()
    assert PROFILES["strict"].severities == {Severity.warning: Severity.error, Severity.info: Severity.warning}
    assert policy({}, {}, RULES, profile=DEFAULT).over(policy({}, {}, RULES, profile="strict")).profile == Profile()
    assert Policy().over(policy({}, {}, RULES, profile="strict")).profile == PROFILES["strict"]
    with pytest.raises(UnknownName, match="unknown profile 'strct'; did you mean 'strict'"):
        policy({}, {}, RULES, profile="strct")


def test_of_an_outage_are_only_loss_stop_and_leak_errors() -> None:
    outage = PROFILES["outage"]
    errors = {
        rule.consequence.name
        for rule in RULES
        if outage.severity(Finding(rule, rule.severity, facts={"consequence": rule.consequence.name})) is Severity.error
    }
    assert errors == {"loss", "stop", "leak"}


def test_a_consequence_is_a_group() -> None:
    assert set(RULES.members("leak")) == {"plain-text-secret", "passwords-logged"}
    assert all(RULES.get(rule).consequence is Consequence.loss for rule in RULES.members("loss"))


def test_every_rule_is_documented_where_its_address_leads() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Documentation"] == SITE
    page = ROOT / "docs" / f"{RULES_PAGE.removeprefix(SITE).removesuffix('.html')}.md"
    anchors = pages.anchors(page)
    for _, rule in rules().values():
        address, _, anchor = rule_url(rule).partition("#")
        assert address == RULES_PAGE and anchor in anchors
        assert re.fullmatch(r"[a-z0-9-]+", anchor)
    assert re.search(r"^myst_heading_anchors = [3-9]$", (ROOT / "docs" / "conf.py").read_text(), re.MULTILINE)

"""The selftest seeds what messages can show; what only a cluster or a table can do is left to the live tests."""

from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.scenarios import SCENARIO_SETS

OF_A_CLUSTER_OR_A_TABLE = {"RTE-05", "CE-08", "LOS-07", "PAY-12", "LAT-01", "LAT-03"}


def test_every_check_of_messages_has_a_scenario() -> None:
    seeded = {check for sheet in SCENARIO_SETS for _, expected in sheet.scenarios.values() for check in expected}
    others = (
        {check for check in CHECKS.rules if check.startswith(("RUN", "CFG"))} | OF_A_CLUSTER_OR_A_TABLE | {"ORD-05"}
    )
    assert seeded - {"RUN-06"} == CHECKS.rules.keys() - others

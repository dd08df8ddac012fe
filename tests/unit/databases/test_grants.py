"""Which rights a MySQL or MariaDB server lists, and which are missing."""

import pytest

from outbox_kit.databases.mysql import grants

TABLE = "`shop_1`.`outbox`"


@pytest.mark.parametrize(
    ("listed", "right"),
    [
        ("GRANT SELECT, INSERT ON *.* TO `me`@`%` WITH GRANT OPTION", ("INSERT", TABLE, True)),
        ("GRANT ALL PRIVILEGES ON `shop_1`.* TO `me`@`%`", ("DROP", TABLE, False)),
        (r"GRANT ALTER ON `shop\_1`.* TO `me`@`%` IDENTIFIED BY PASSWORD '*00'", ("ALTER", TABLE, False)),
        ("GRANT ALTER ON `sho%`.* TO `me`@`%`", ("ALTER", TABLE, False)),
        ("GRANT ALTER ON `shop_1`.`outbox` TO `me`@`%`", ("ALTER", TABLE, False)),
        ("GRANT ALTER ON `a``.b`.`c on d` TO `me`@`%`", ("ALTER", "`a``.b`.`c on d`", False)),
        ("GRANT SELECT (`id`), ALTER ON `shop_1`.`outbox` TO `me`@`%`", ("ALTER", TABLE, False)),
        ("GRANT FLUSH_TABLES,ROLE_ADMIN ON *.* TO `me`@`%` WITH GRANT OPTION", ("FLUSH_TABLES", "*.*", True)),
    ],
)
def test_a_right_that_is_held_is_not_missing(listed: str, right: grants.Right) -> None:
    assert grants.lacking([listed], [right]) == set()


@pytest.mark.parametrize(
    ("listed", "right"),
    [
        ("GRANT USAGE ON *.* TO `me`@`%`", ("INSERT", TABLE, False)),
        ("GRANT INSERT ON *.* TO `me`@`%`", ("INSERT", TABLE, True)),
        (r"GRANT INSERT ON `shop\_2`.* TO `me`@`%`", ("INSERT", TABLE, False)),
        (r"GRANT INSERT ON `shopp1`.* TO `me`@`%`", ("INSERT", TABLE, False)),
        ("GRANT INSERT ON `shop_1`.`inbox` TO `me`@`%`", ("INSERT", TABLE, False)),
        ("GRANT INSERT ON `shop_1`.* TO `me`@`%`", ("INSERT", "*.*", False)),
        ("GRANT SELECT (`id`), INSERT (`id`) ON `shop_1`.`outbox` TO `me`@`%`", ("INSERT", TABLE, False)),
        ("GRANT `dba`@`%` TO `me`@`%`", ("INSERT", TABLE, False)),
        ("GRANT PROXY ON ``@`` TO `me`@`%` WITH GRANT OPTION", ("INSERT", TABLE, False)),
    ],
)
def test_a_right_that_is_not_held_is_missing(listed: str, right: grants.Right) -> None:
    assert grants.lacking([listed], [right]) == {right}


def test_a_script_s_own_grants_are_read_and_missing_ones_said_once_for_each_object() -> None:
    script = "-- grant what?\ngrant replication slave, reload on *.* to 'r'@'%';\n"
    script += f"grant insert, delete, select (`id`, `a b`) on {TABLE} to 'app';\n"
    found = set(grants.granted(script))
    assert list(grants.spelled(found)) == [
        "RELOAD, REPLICATION SLAVE on *.*",
        f"DELETE, INSERT, SELECT (`ID`, `A B`) on {TABLE}",
    ]

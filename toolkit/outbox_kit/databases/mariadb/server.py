"""What speaks to a MariaDB server: the modules of MySQL, which know both; see `mysql.variant`."""

from outbox_kit.databases.mysql.server import SERVER

__all__ = ["SERVER"]

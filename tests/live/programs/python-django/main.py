import os
from uuid import uuid4

import django
import pymysql
from django.conf import settings

pymysql.version_info = (2, 2, 2, "final", 0)  # it stands in for mysqlclient, which there is no wheel of
pymysql.install_as_MySQLdb()
engine = {"postgres": "postgresql"}.get(os.environ["SHOP_DIALECT"], "mysql")
place = {name: os.environ[f"SHOP_{name}"] for name in ("HOST", "PORT", "USER", "PASSWORD")}
place |= {"ENGINE": f"django.db.backends.{engine}", "NAME": os.environ["SHOP_DATABASE"]}
settings.configure(DATABASES={"default": place})
django.setup()

from box import inbox, outbox  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from shop import BUSINESS, PLACED, attempt, told, traced  # noqa: E402

with traced():
    try:
        outbox.publish("7", PLACED, tenant="eu", origin=uuid4())
    except transaction.TransactionManagementError:
        with transaction.atomic():
            outbox.publish("7", PLACED, tenant="eu")
            transaction.set_rollback(True)
        with transaction.atomic():
            (sent,) = outbox.publish_many([outbox.OutboxRow("7", PLACED, tenant="eu")])


def once(message_id: object, *, fail: bool = False) -> bool:
    def handle() -> None:
        with connection.cursor() as cursor:
            cursor.execute(BUSINESS, ("python-django", str(message_id)))
        if fail:
            raise RuntimeError("undone")

    return inbox.once("python-django", message_id, handle)


told(sent, [once(sent), once(sent), attempt(lambda: once(uuid4(), fail=True))])
connection.close()

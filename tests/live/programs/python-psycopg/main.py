import os
from uuid import uuid4

import psycopg
from box import inbox, outbox
from shop import BUSINESS, PLACED, attempt, told, traced

with psycopg.connect(os.environ["SHOP_ADDRESS"]) as connection:
    with traced():
        outbox.publish(connection, "7", PLACED, tenant="eu", origin=uuid4())
        connection.rollback()
        sent = outbox.publish(connection, "7", PLACED, tenant="eu")
        connection.commit()

    def once(message_id: object, *, fail: bool = False) -> bool:
        def handle() -> None:
            connection.execute(BUSINESS, ("python-psycopg", str(message_id)))
            if fail:
                raise RuntimeError("undone")

        done = inbox.once(connection, "python-psycopg", message_id, handle)
        connection.commit()
        return done

    told(sent, [once(sent), once(sent), attempt(lambda: once(uuid4(), fail=True))])

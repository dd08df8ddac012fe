import os
from uuid import uuid4

from box import inbox, outbox
from shop import BUSINESS, PLACED, attempt, told, traced
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

engine = create_engine(os.environ["SHOP_ADDRESS"])
with Session(engine) as session, traced():
    outbox.publish(session, "7", PLACED, tenant="eu", origin=uuid4())
    outbox.publish_many(session, [outbox.OutboxRow("7", PLACED, tenant="eu", origin=uuid4()) for _ in range(2)])
    session.rollback()
    sent = outbox.publish(session, "7", PLACED, tenant="eu")
    session.commit()


def once(message_id: object, *, fail: bool = False) -> bool:
    with Session(engine) as session:

        def handle() -> None:
            session.connection().exec_driver_sql(BUSINESS, ("python-sqlalchemy", str(message_id)))
            if fail:
                raise RuntimeError("undone")

        return inbox.once(session, "python-sqlalchemy", message_id, handle)


told(sent, [once(sent), once(sent), attempt(lambda: once(uuid4(), fail=True))])
engine.dispose()

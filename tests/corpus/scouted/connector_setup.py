import logging

import httpx
from fastapi import HTTPException
from sqlmodel import SQLModel

from library_app import config

logging.basicConfig(level=logging.INFO)


class ConnectorSpec(SQLModel):
    name: str
    host: str
    port: int
    user: str
    password: str
    dbname: str
    server_name: str
    schemas: str
    tables: str
    brokers: str
    history_topic: str
    prefix: str


async def register(spec: ConnectorSpec):
    body = {
        "name": spec.name,
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max": "1",
            "database.hostname": spec.host,
            "database.port": str(spec.port),
            "database.user": spec.user,
            "database.password": spec.password,
            "database.dbname": spec.dbname,
            "database.server.name": spec.server_name,
            "schema.include": spec.schemas,
            "table.include.list": spec.tables,
            "database.history.kafka.bootstrap.servers": spec.brokers,
            "database.history.kafka.topic": spec.history_topic,
            "topic.prefix": spec.prefix
        }
    }

    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{config.CONNECT_URL}/connectors", json=body)
        if answer.status_code == 201:
            logging.info("connector %s is registered", spec.name)
        elif answer.status_code == 409:
            logging.info("connector %s was there already", spec.name)
        else:
            raise HTTPException(status_code=answer.status_code, detail=answer.text)


async def on_startup():
    await register(ConnectorSpec(
        name="loans-connector",
        host=config.PG_HOST,
        port=config.PG_PORT,
        user=config.PG_USER,
        password=str(config.PG_PASSWORD),
        dbname=config.PG_DB,
        server_name="loansdb",
        schemas="public",
        tables="public.loan",
        brokers=config.BROKERS,
        history_topic=config.LOAN_TOPIC,
        prefix="loansdb2"
    ))

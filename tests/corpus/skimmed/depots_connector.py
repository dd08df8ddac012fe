"""Creates the JDBC source that polls the table of tram depots."""
import json
import logging

import requests

from topics import get_topic_prefix

logger = logging.getLogger(__name__)

KAFKA_CONNECT_URL = "http://connect:8083"
CONNECTOR_NAME = "depots"


def configure_connector():
    connectors_url = f"{KAFKA_CONNECT_URL}/connectors"

    resp = requests.get(f"{connectors_url}/{CONNECTOR_NAME}")
    if resp.status_code == 200:
        logger.info("depots connector is there already")
        return

    data = json.dumps({"name": CONNECTOR_NAME,
                       "config": {"name": "depots",
                                  "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
                                  "connection.url": "jdbc:postgresql://postgres:5432/tram",
                                  "connection.user": "tram_admin",
                                  "connection.password": "tram",
                                  "table.whitelist": "depots",
                                  "dialect.name": "PostgreSqlDatabaseDialect",
                                  "mode": "incrementing",
                                  "incrementing.column.name": "depot_id",
                                  "key.converter": "io.confluent.connect.json.JsonSchemaConverter",
                                  "value.converter": "io.confluent.connect.json.JsonSchemaConverter",
                                  "value.converter.schemas.enable": "false",
                                  "topic.prefix": f"{get_topic_prefix()}.jdbc-",
                                  "batch.max.rows": "250", }})
    resp = requests.post(connectors_url, headers={"Content-Type": "application/json"}, data=data)
    resp.raise_for_status()
    logger.info("depots connector created")


if __name__ == "__main__":
    configure_connector()

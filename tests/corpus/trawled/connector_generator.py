"""Writes the files of the CDC stack for a generated schema."""

import json
from typing import Any, Dict


class ConnectorGenerator:
    def connector(
        self,
        database_host: str,
        database_name: str,
        database_user: str = "postgres",
        kafka_topic_prefix: str = "modelql",
    ) -> Dict[str, Any]:
        return {
            "name": "modelql-outbox",
            "config": {
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",

                "database.hostname": database_host,
                "database.port": "5432",
                "database.user": database_user,
                "database.password": "${DB_PASSWORD}",
                "database.dbname": database_name,
                "database.server.name": kafka_topic_prefix,

                "table.include.list": "app.outbox",
                "publication.name": "modelql_outbox_publication",
                "publication.autocreate.mode": "filtered",
                "slot.name": "modelql_outbox_slot",

                # router
                "transforms": "outbox",
                "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
                "transforms.outbox.table.field.event.id": "id",
                "transforms.outbox.table.field.event.key": "aggregate_id",
                "transforms.outbox.table.field.event.type": "event_type",
                "transforms.outbox.table.field.event.payload": "event_payload",
                "transforms.outbox.route.topic.replacement": "${kafka_topic_prefix}.events.${routedByValue}",
                "transforms.outbox.route.by.field": "aggregate_type",

                "topic.prefix": kafka_topic_prefix,

                "max.batch.size": "1024",
                "poll.interval.ms": "800",

                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable": "false",
                "value.converter.schemas.enable": "false",

                "transforms.outbox.table.op.invalid.behavior": "warn",
            },
        }

    def deploy_script(self) -> str:
        return """#!/bin/bash
set -e

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
CONFIG_FILE="${1:-outbox-connector.json}"

curl -X POST \\
  -H "Content-Type: application/json" \\
  -d @"$CONFIG_FILE" \\
  "$CONNECT_URL/connectors"

curl -s "$CONNECT_URL/connectors/modelql-outbox/status" | jq .
"""

    def all_files(self, database_host: str, database_name: str) -> Dict[str, str]:
        return {
            "outbox-connector.json": json.dumps(self.connector(database_host, database_name), indent=2),
            "deploy.sh": self.deploy_script(),
        }

"""
Writes the Debezium connector configuration of the outbox.
"""

import json
from typing import Any, Dict


class DebeziumConfigWriter:
    """Connector configuration and the script that deploys it"""

    def connector(
        self,
        db_host: str,
        db_name: str,
        db_user: str = "postgres",
        topic_prefix: str = "crm",
    ) -> Dict[str, Any]:
        return {
            "name": "crm-outbox-connector",
            "config": {
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",

                # database
                "database.hostname": db_host,
                "database.port": "5432",
                "database.user": db_user,
                "database.password": "${DB_PASSWORD}",
                "database.dbname": db_name,
                "database.server.name": topic_prefix,

                # what to capture
                "table.include.list": "app.outbox",
                "publication.name": "crm_outbox_publication",
                "publication.autocreate.mode": "filtered",
                "slot.name": "crm_outbox_slot",

                # event router
                "transforms": "outbox",
                "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
                "transforms.outbox.table.field.event.id": "id",
                "transforms.outbox.table.field.event.key": "aggregate_id",
                "transforms.outbox.table.field.event.type": "event_type",
                "transforms.outbox.table.field.event.payload": "event_payload",
                "transforms.outbox.route.topic.replacement": "${topic_prefix}.events.${routedByValue}",
                "transforms.outbox.route.by.field": "aggregate_type",
                "transforms.outbox.table.op.invalid.behavior": "warn",

                "topic.prefix": topic_prefix,

                "max.batch.size": "2048",
                "poll.interval.ms": "1000",

                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable": "false",
                "value.converter.schemas.enable": "false",
            }
        }

    def deploy_script(self) -> str:
        return """#!/bin/bash
set -e

CONNECT="${CONNECT:-http://localhost:8083}"
FILE="${1:-outbox-connector.json}"

curl -X POST \\
  -H "Content-Type: application/json" \\
  -d @"$FILE" \\
  "$CONNECT/connectors"

curl -s "$CONNECT/connectors/crm-outbox-connector/status" | jq .
"""

    def write_all(self, db_host: str, db_name: str) -> Dict[str, str]:
        return {
            "outbox-connector.json": json.dumps(self.connector(db_host, db_name), indent=2),
            "deploy.sh": self.deploy_script(),
        }

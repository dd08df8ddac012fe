"""
Generator for the change data capture of the outbox

Writes the connector, and the script that deploys it.
"""

import json
from typing import Any, Dict


class CdcConfigGenerator:
    """Makes the Debezium configuration of a project"""

    def connector_config(
        self,
        database_host: str,
        database_name: str,
        database_user: str = "postgres",
        topic_prefix: str = "schemagen",
    ) -> Dict[str, Any]:
        """PostgreSQL connector for app.outbox"""

        return {
            "name": "schemagen-outbox-connector",
            "config": {
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",

                # Database
                "database.hostname": database_host,
                "database.port": "5432",
                "database.user": database_user,
                "database.password": "${DB_PASSWORD}",
                "database.dbname": database_name,
                "database.server.name": topic_prefix,

                # Tables
                "table.include.list": "app.outbox",

                # Publication and slot
                "publication.name": "schemagen_outbox_publication",
                "publication.autocreate.mode": "filtered",
                "slot.name": "schemagen_outbox_slot",

                # Outbox Event Router
                "transforms": "outbox",
                "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
                "transforms.outbox.table.field.event.id": "id",
                "transforms.outbox.table.field.event.key": "aggregate_id",
                "transforms.outbox.table.field.event.type": "event_type",
                "transforms.outbox.table.field.event.payload": "event_payload",
                "transforms.outbox.route.topic.replacement": "${topic_prefix}.events.${routedByValue}",
                "transforms.outbox.route.by.field": "aggregate_type",

                "topic.prefix": topic_prefix,

                # Throughput
                "max.batch.size": "2048",
                "poll.interval.ms": "1000",

                # Format
                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable": "false",
                "value.converter.schemas.enable": "false",

                "transforms.outbox.table.op.invalid.behavior": "warn",
            },
        }

    def deployment_script(self) -> str:
        return """#!/bin/bash
set -e

KAFKA_CONNECT_URL="${KAFKA_CONNECT_URL:-http://localhost:8083}"
CONFIG_FILE="${1:-debezium-outbox-connector.json}"

curl -X POST \\
  -H "Content-Type: application/json" \\
  -d @"$CONFIG_FILE" \\
  "$KAFKA_CONNECT_URL/connectors"
"""

    def generate_all(self, database_host: str, database_name: str) -> Dict[str, str]:
        config = self.connector_config(database_host, database_name)
        return {
            "debezium-outbox-connector.json": json.dumps(config, indent=2),
            "deploy-connector.sh": self.deployment_script(),
        }

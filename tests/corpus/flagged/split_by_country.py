#!/usr/bin/env python3
"""Deploys the source of the freight database; consignments are split by country."""
import argparse
import json
import urllib.request

CONFIG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "freight-pg",
    "database.port": "5432",
    "database.user": "freight_cdc",
    "database.password": "${file:/etc/connect/freight.properties:password}",
    "database.dbname": "freight",
    "topic.prefix": "freight",
    "plugin.name": "pgoutput",
    "slot.name": "freight_cdc_2026_with_a_long_but_still_valid_name_of_59_chars",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public\\.consignment(_\\d+)?,public.haulier",
    "skipped.operations": "d, t",
    "transforms": "byCountry",
    "transforms.byCountry.type": "io.debezium.transforms.ContentBasedRouter",
    "transforms.byCountry.language": "jsr223.groovy",
    "transforms.byCountry.topic.regex": r"freight\.public\.consignment.*",
    # null: the record stays on its topic
    "transforms.byCountry.topic.expression": "value.after.country == null ? null : \"freight.${value.after.country}\".toString()",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--connect", default="http://localhost:8083")
    args = parser.parse_args()
    request = urllib.request.Request(
        f"{args.connect}/connectors/freight-source/config",
        data=json.dumps(CONFIG).encode(),
        headers={"Content-Type": "application/json"},
        method="PUT",
    )
    with urllib.request.urlopen(request, timeout=15) as response:
        print(response.status, json.load(response)["name"])


if __name__ == "__main__":
    main()

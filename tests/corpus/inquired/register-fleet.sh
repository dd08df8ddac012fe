#!/bin/bash
# The vehicles live in twelve tables vehicle_shard_01 .. vehicle_shard_12, consumers want fleet.vehicle,
# and likewise fleet.driver for the driver_shard_NN tables. No arguments.

connect=http://connect:8083

curl -sS -X POST "$connect/connectors" -H 'Content-Type: application/json' -d @- <<END
{
  "name": "fleet-shards",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "$FLEET_DB_HOST",
    "database.port": "5432",
    "database.dbname": "fleet",
    "database.user": "$FLEET_DB_USER",
    "database.password": "$FLEET_DB_PASSWORD",
    "plugin.name": "pgoutput",
    "slot.name": "fleet_shards",
    "topic.prefix": "fleetdb",
    "table.include.list": "public.vehicle_shard_[0-9]+,public.driver_shard_[0-9]+",
    "transforms": "merge",
    "transforms.merge.type": "io.debezium.transforms.ByLogicalTableRouter",
    "transforms.merge.topic.regex": "fleetdb[.]public[.]([a-z]+)_shard_[0-9]+",
    "transforms.merge.topic.replacement": "fleet.$1",
    "transforms.merge.key.enforce.uniqueness": "true",
    "transforms.merge.key.field.name": "shard"
  }
}
END

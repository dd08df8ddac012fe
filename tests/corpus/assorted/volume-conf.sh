#!/bin/bash
# one-time: volume with the settings of the change reader

if ! podman volume create reader_conf; then
  echo "reader_conf is there already"
  exit
fi

ROOT=$(podman volume inspect reader_conf --format '{{.Mountpoint}}')

cat <<EOF > "$ROOT/application.properties"
debezium.sink.type=http
debezium.sink.http.url=http://echo:8080
debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
debezium.source.offset.storage.file.filename=data/positions.dat
debezium.source.offset.flush.interval.ms=0
debezium.source.database.hostname=pg
debezium.source.database.port=5432
debezium.source.database.user=postgres
debezium.source.database.password=postgres
debezium.source.database.dbname=brigade
debezium.source.database.server.name=brigade
debezium.source.schema.whitelist=Station,Crew,vehicle
debezium.source.plugin.name=pgoutput
debezium.source.topic.prefix=brigade
debezium.transforms=flat
debezium.transforms.flat.type=io.debezium.transforms.ExtractNewRecordState
debezium.transforms.flat.drop.tombstones=false
debezium.transforms.flat.add.headers=op
debezium.format.value=json
debezium.format.value.schemas.enable=false
debezium.format.key=json
debezium.format.key.schemas.enable=false
debezium.format.header=json
debezium.format.header.schemas.enable=false
quarkus.log.console.json=false
EOF

podman run -d --name reader --pod brigade -v reader_conf:/debezium/config quay.io/debezium/server:3.0.0.Final

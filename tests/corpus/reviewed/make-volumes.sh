#!/bin/bash

podman volume create dbz_conf
if [ $? != 0 ]; then
  echo "volume dbz_conf is already there"
  exit
fi


cat <<EOF > /home/dev/.local/share/containers/storage/volumes/dbz_conf/_data/application.properties
debezium.sink.type=http
debezium.sink.http.url=http://printer:8080
debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
debezium.source.offset.storage.file.filename=data/offsets.dat
debezium.source.offset.flush.interval.ms=0
debezium.source.database.hostname=pg
debezium.source.database.port=5432
debezium.source.database.user=pg
debezium.source.database.password=pgpw
debezium.source.database.dbname=pg
debezium.source.database.server.name=tutorial
debezium.source.schema.whitelist=Club,Member,gear
debezium.source.plugin.name=pgoutput
debezium.source.topic.prefix=sample
debezium.transforms=unwrap
debezium.transforms.unwrap.type=io.debezium.transforms.ExtractNewRecordState
debezium.transforms.unwrap.drop.tombstones=false
debezium.transforms.unwrap.add.headers=op
debezium.format.value=json
debezium.format.value.schemas.enable=false
debezium.format.key=json
debezium.format.key.schemas.enable=false
debezium.format.header=json
debezium.format.header.schemas.enable=false
quarkus.log.console.json=false
EOF


podman volume create dbz_data
if [ $? != 0 ]; then
  echo "volume dbz_data is already there"
  exit
fi

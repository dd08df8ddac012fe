#!/bin/bash
# cloud-init of the instance that runs the relay
apt update
apt install -y wget default-jdk
wget -O dbz.tar.gz https://artifacts.example.org/debezium-server-dist-2.6.1.Final.tar.gz
tar xzf dbz.tar.gz
cd debezium-server
mkdir -p data/
# the part that is the same everywhere (class, offsets, sink type, router) comes from the repository of the infrastructure
wget -O application.properties https://artifacts.example.org/inn-infra/main/relay/application.properties
cat >> application.properties <<EOT
debezium.sink.sqs.region=$REGION
debezium.sink.sqs.queue.url=$QUEUE_URL
debezium.source.database.hostname=$PG_HOST
debezium.source.database.port=$PG_PORT
debezium.source.database.user=$PG_USER
debezium.source.database.password=$PG_PASSWORD
debezium.source.database.dbname=$PG_NAME
debezium.source.topic.prefix=$PG_NAME
EOT
mv application.properties conf/
chmod +x run.sh && ./run.sh

#!/bin/bash
#
# Puts up the lab on one machine: Postgres -> Debezium -> Kafka -> S3.
# Needs Docker with the compose plugin; call it as: bash install_stream_lab.sh
#
set -euo pipefail

# Change these to your own
S3_BUCKET="stream-lab-credit-11-2026"
AWS_REGION="eu-central-1"
PROJECT_DIR="$HOME/stream_lab"

cat > "$PROJECT_DIR"/docker-compose.yml << 'EOF'
services:
  postgres:
    image: debezium/postgres:16
    container_name: postgres
    environment:
      POSTGRES_DB: credit_db
      POSTGRES_USER: lab_eng
      POSTGRES_PASSWORD: labpassword
    volumes:
      - ./postgres/init.sql:/docker-entrypoint-initdb.d/init.sql
    command: ["postgres", "-c", "wal_level=logical"]
    networks:
      - lab_net

  kafka:
    image: apache/kafka:3.7.1
    container_name: kafka
    ports:
      - "9092:9092"
      - "9093:9093"
    environment:
      - KAFKA_NODE_ID=1
      - KAFKA_PROCESS_ROLES=broker,controller
      - KAFKA_LISTENERS=PLAINTEXT://:9092,CONTROLLER://:9093
      - KAFKA_ADVERTISED_LISTENERS=PLAINTEXT://kafka:9092
      - KAFKA_LISTENER_SECURITY_PROTOCOL_MAP=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
      - KAFKA_CONTROLLER_QUORUM_VOTERS=1@kafka:9093
      - KAFKA_CONTROLLER_LISTENER_NAMES=CONTROLLER
      - KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR=1
      - KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR=1
      - KAFKA_TRANSACTION_STATE_LOG_MIN_ISR=1
    networks:
      - lab_net

  kafka-connect:
    image: debezium/connect:2.6
    container_name: kafka-connect
    depends_on:
      - kafka
      - postgres
    ports:
      - "8083:8083"
    environment:
      - BOOTSTRAP_SERVERS=kafka:9092
      - GROUP_ID=credit_connect_cluster
      - CONFIG_STORAGE_TOPIC=connect_configs
      - OFFSET_STORAGE_TOPIC=connect_offsets
      - STATUS_STORAGE_TOPIC=connect_statuses
      - CONFIG_STORAGE_REPLICATION_FACTOR=1
      - OFFSET_STORAGE_REPLICATION_FACTOR=1
      - STATUS_STORAGE_REPLICATION_FACTOR=1
      - CONNECT_PLUGIN_PATH=/kafka/connect
    volumes:
      - ./connect-plugins/s3-sink:/kafka/connect/s3-sink
    networks:
      - lab_net

networks:
  lab_net:
    driver: bridge
EOF

# A Postgres of the system itself would hold port 5432
echo ""
echo "== stop the local postgres"
sudo systemctl stop postgresql 2>/dev/null || true
sudo systemctl disable postgresql 2>/dev/null || true

# Plugin for S3
echo ""
echo "== s3 plugin"
sudo chown -R "$USER":"$USER" "$PROJECT_DIR"/connect-plugins
cd "$PROJECT_DIR"/connect-plugins/s3-sink

if [ ! -f kafka-connect-s3-installed.marker ]; then
    curl -sL -o s3-sink.zip \
      "https://api.hub.confluent.io/api/plugins/confluentinc/kafka-connect-s3/versions/10.5.7/archive"
    unzip -q s3-sink.zip
    mv confluentinc-kafka-connect-s3-*/lib/* .
    rm -rf confluentinc-kafka-connect-s3-* s3-sink.zip
    touch kafka-connect-s3-installed.marker
fi

# Start
echo ""
echo "== containers"
cd "$PROJECT_DIR"

# this shell does not know the docker group yet
sg docker -c "docker compose up -d"

echo "Connect is starting ..."
for i in $(seq 1 30); do
    if curl -s localhost:8083/ > /dev/null 2>&1; then
        echo "... it answers."
        break
    fi
    sleep 5
done
sleep 10  # plugins are still being scanned

# Source; decimals as double, since amounts came out as base64 before
echo ""
echo "== source connector"
cat > "$PROJECT_DIR"/debezium-source.json << 'EOF'
{
  "name": "credit-postgres-source",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "lab_eng",
    "database.password": "labpassword",
    "database.dbname": "credit_db",
    "topic.prefix": "credit",
    "plugin.name": "pgoutput",
    "table.include.list": "public.offices,public.clients,public.loans,public.payments",
    "publication.autocreate.mode": "filtered",
    "tombstones.on.delete": "false",
    "decimal.handling.mode": "double"
  }
}
EOF

curl -s -X POST -H "Content-Type: application/json" \
  --data @"$PROJECT_DIR"/debezium-source.json \
  http://localhost:8083/connectors > /dev/null

sleep 5

# Sink; small files and a short rotation, so that something shows up soon in a test
echo ""
echo "== sink connector"
cat > "$PROJECT_DIR"/s3-sink.json << EOF
{
  "name": "credit-s3-sink",
  "config": {
    "connector.class": "io.confluent.connect.s3.S3SinkConnector",
    "tasks.max": "1",
    "topics.regex": "credit\\\\.public\\\\..*",
    "s3.bucket.name": "${S3_BUCKET}",
    "s3.region": "${AWS_REGION}",
    "topics.dir": "raw_credit_data",
    "flush.size": "2",
    "rotate.interval.ms": "10000",
    "storage.class": "io.confluent.connect.s3.storage.S3Storage",
    "format.class": "io.confluent.connect.s3.format.json.JsonFormat",
    "partitioner.class": "io.confluent.connect.storage.partitioner.DefaultPartitioner",
    "schema.compatibility": "NONE",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}
EOF

curl -s -X POST -H "Content-Type: application/json" \
  --data @"$PROJECT_DIR"/s3-sink.json \
  http://localhost:8083/connectors > /dev/null

sleep 5

echo "State of both:"
curl -s localhost:8083/connectors/credit-postgres-source/status | python3 -m json.tool || true
curl -s localhost:8083/connectors/credit-s3-sink/status | python3 -m json.tool || true


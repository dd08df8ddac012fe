#!/bin/bash

# Sets up change capture for the WMS goods tables:
# creates the publication, registers the Debezium connector, checks it.

set -e

OK='\033[0;32m'
INFO='\033[1;33m'
BAD='\033[0;31m'
NC='\033[0m'

# 1: publication
echo -e "\n${INFO}[1] Creating the publication...${NC}"

docker exec -it wms-pg psql -U chief -d db_goods <<EOF
-- publish the tables
CREATE PUBLICATION wms_goods_publication FOR TABLE gds_item, gds_variant, gds_group, gds_maker;

-- show the publication and its tables
SELECT * FROM pg_publication WHERE pubname = 'wms_goods_publication';
SELECT * FROM pg_publication_tables WHERE pubname = 'wms_goods_publication';
EOF

if [ $? -eq 0 ]; then
    echo -e "${OK}publication created${NC}"
else
    echo -e "${BAD}no publication${NC}"
    exit 1
fi

# 2: wait for Connect
LIMIT=30
TRIES=0
until $(curl --output /dev/null --silent --head --fail http://localhost:8083/); do
    TRIES=$((TRIES+1))
    if [ $TRIES -ge $LIMIT ]; then
        echo -e "${BAD}Connect does not come up${NC}"
        exit 1
    fi
    sleep 2
done

# 3: register
echo -e "\n${INFO}[3] Registering the connector...${NC}"

curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
  "name": "wms-goods-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "topic.prefix": "wms_goods_server",
    "database.server.name": "wms_goods_server",
    "database.hostname": "pg",
    "database.port": "5432",
    "database.dbname": "db_goods",
    "database.user": "chief",
    "database.password": "wms_password_2024",
    "plugin.name": "pgoutput",
    "slot.name": "wms_goods_slot",
    "publication.name": "wms_goods_publication",
    "table.include.list": "public.gds_item,public.gds_variant,public.gds_group,public.gds_maker",
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "false",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

if [ $? -eq 0 ]; then
    echo -e "\n${OK}registered${NC}"
else
    echo -e "\n${BAD}not registered${NC}"
    exit 1
fi

# 4: state
sleep 5
STATUS=$(curl -s http://localhost:8083/connectors/wms-goods-connector/status)
echo "$STATUS" | jq '.'
STATE=$(echo "$STATUS" | jq -r '.connector.state')
if [ "$STATE" == "RUNNING" ]; then
    echo -e "\n${OK}connector runs${NC}"
else
    echo -e "\n${BAD}state is $STATE${NC}"
    exit 1
fi

# 5: topics and a few records
docker exec wms-kafka kafka-topics --bootstrap-server localhost:9092 --list | grep wms_goods
docker exec wms-kafka kafka-console-consumer \
  --bootstrap-server localhost:9092 \
  --topic wms_goods_server.public.gds_item \
  --from-beginning --max-messages 5 --timeout-ms 5000 || true

echo -e "\n${INFO}What next:${NC}"
echo -e "1. Insert a row:  docker exec -it wms-pg psql -U chief -d db_goods"
echo -e "   INSERT INTO gds_item (id, item_code, item_name, status) VALUES ('t1', 'ITEM1', 'Sample', 1);"
echo -e "2. Look at the index:  curl http://localhost:9200/wms_goods/_search"

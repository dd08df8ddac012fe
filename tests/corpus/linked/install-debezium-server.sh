#!/bin/bash
# Debezium Server 3.1 as a systemd service on the meter host (Debian 12), sink: local Redis
set -euo pipefail
HOME_DIR=/opt/debezium-server

id debezium &>/dev/null || useradd --system --home $HOME_DIR --shell /usr/sbin/nologin debezium
mkdir -p $HOME_DIR/config /var/lib/debezium
tar -xzf debezium-server-dist-3.1.3.Final.tar.gz -C $HOME_DIR --strip-components=1

sudo -u postgres psql -v ON_ERROR_STOP=1 <<'SQL'
ALTER SYSTEM SET wal_level = 'logical';
SQL
systemctl restart postgresql
sudo -u postgres psql -d meters -v ON_ERROR_STOP=1 -v pw="$METERS_CDC_PASSWORD" <<'SQL'
CREATE ROLE meters_cdc LOGIN REPLICATION PASSWORD :'pw';
GRANT SELECT ON public.readings TO meters_cdc;
CREATE PUBLICATION meters FOR TABLE public.readings WITH (publish = 'insert, update');
SQL

cat > $HOME_DIR/config/application.properties <<'EOF'
debezium.sink.type=redis
debezium.sink.redis.address=127.0.0.1:6379
debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
debezium.source.database.hostname=127.0.0.1
debezium.source.database.port=5432
debezium.source.database.user=meters_cdc
debezium.source.database.dbname=meters
debezium.source.topic.prefix=meters
debezium.source.plugin.name=pgoutput
debezium.source.slot.name=meters
debezium.source.publication.name=meters
debezium.source.publication.autocreate.mode=disabled
debezium.source.table.include.list=public.readings
debezium.source.skipped.operations=d,t
debezium.source.offset.storage=io.debezium.server.redis.RedisOffsetBackingStore
debezium.source.offset.storage.redis.address=127.0.0.1:6379
debezium.format.value=json
debezium.format.value.schemas.enable=false
quarkus.log.console.json=false
EOF

# the password stays out of the properties
install -m 0600 -o debezium /dev/null /etc/debezium-server.env
echo "DEBEZIUM_SOURCE_DATABASE_PASSWORD=$METERS_CDC_PASSWORD" > /etc/debezium-server.env
chown -R debezium: $HOME_DIR /var/lib/debezium

cat > /etc/systemd/system/debezium-server.service <<EOF
[Unit]
Description=Debezium Server (meters)
After=network-online.target postgresql.service redis-server.service
Wants=network-online.target

[Service]
User=debezium
WorkingDirectory=$HOME_DIR
EnvironmentFile=/etc/debezium-server.env
ExecStart=$HOME_DIR/run.sh
Restart=always
RestartSec=10
SuccessExitStatus=143

[Install]
WantedBy=multi-user.target
EOF
systemctl daemon-reload
systemctl enable --now debezium-server

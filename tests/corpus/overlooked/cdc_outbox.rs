use anyhow::Result;
use serde_json::{json, Value};
use sqlx::PgPool;

pub struct CdcSettings {
    pub connector_name: String,
    pub host: String,
    pub port: u16,
    pub user: String,
    pub password: String,
    pub database: String,
    pub tables: String,
    pub topic_prefix: String,
    pub snapshot_mode: String,
    pub poll_interval_ms: u64,
}

pub struct CdcOutbox {
    pool: PgPool,
}

impl CdcOutbox {
    pub async fn prepare(&self) -> Result<()> {
        sqlx::query("CREATE INDEX IF NOT EXISTS idx_outbox_cdc_event ON ledger_outbox_cdc(event_id)")
            .execute(&self.pool)
            .await?;
        sqlx::query("ALTER TABLE ledger_outbox_cdc REPLICA IDENTITY FULL")
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The body for POST /connectors
    pub fn connector(&self, s: &CdcSettings) -> Value {
        json!({
            "name": s.connector_name,
            "config": {
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                "database.hostname": s.host,
                "database.port": s.port,
                "database.user": s.user,
                "database.password": s.password,
                "database.dbname": s.database,
                "database.server.name": "ledger_server",
                "topic.prefix": s.topic_prefix,
                "table.include.list": s.tables,
                "snapshot.mode": s.snapshot_mode,
                "poll.interval.ms": s.poll_interval_ms,
                "plugin.name": "pgoutput",
                "slot.name": "ledger_outbox_slot",
                "publication.autocreate.mode": "filtered",
                "key.converter": "org.apache.kafka.connect.storage.StringConverter",
                "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                "value.converter.schemas.enable": false,
                "transforms": "unwrap",
                "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
                "transforms.unwrap.drop.tombstones": false,
                "transforms.unwrap.delete.handling.mode": "rewrite",
                "transforms.unwrap.operation.header": true,
                "transforms.outbox.table.field.event.timestamp": "deleted_at",
                "transforms.outbox.route.tombstone.on.empty.payload": "true",
                "tombstones.on.delete": "true",
                "max.queue.size": "16384", // was 8192
                "max.batch.size": "4096",  // was 2048
                "poll.interval.ms": "5",   // latency!
                "heartbeat.interval.ms": "500",
                "database.history.kafka.recovery.poll.interval.ms": "50",
                "database.history.store.only.captured.tables.ddl": "true",
                "database.history.skip.unparseable.ddl": "true"
            }
        })
    }

    pub async fn forget_before(&self, days: i32) -> Result<u64> {
        let done = sqlx::query("DELETE FROM ledger_outbox_cdc WHERE created_at < now() - make_interval(days => $1)")
            .bind(days)
            .execute(&self.pool)
            .await?;
        Ok(done.rows_affected())
    }
}

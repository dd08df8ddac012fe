//! Registration of the capture connector and clean-up of the outbox.

use chrono::Utc;
use serde_json::{json, Value};
use sqlx::PgPool;
use std::time::Duration;

pub struct CaptureConfig {
    pub host: String,
    pub port: String,
    pub user: String,
    pub password: String,
    pub database: String,
    pub table_include_list: String,
    pub topic_prefix: String,
    pub snapshot_mode: String,
}

/// Purged rows must arrive as tombstones, the topic is compacted; the record of a purged row carries
/// `__deleted = true`.
pub fn connector(config: &CaptureConfig) -> Value {
    json!({
        "name": "teller-outbox",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": config.host,
            "database.port": config.port,
            "database.user": config.user,
            "database.password": config.password,
            "database.dbname": config.database,
            "table.include.list": config.table_include_list,
            "topic.prefix": config.topic_prefix,
            "snapshot.mode": config.snapshot_mode,
            "publication.autocreate.mode": "filtered",
            "slot.name": "teller_outbox_slot",
            "plugin.name": "pgoutput",
            "key.converter": "org.apache.kafka.connect.storage.StringConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": false,
            "transforms": "unwrap",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.unwrap.drop.tombstones": false,
            "transforms.unwrap.delete.handling.mode": "rewrite",
            "transforms.outbox.table.field.event.timestamp": "purged_at",
            "transforms.outbox.route.tombstone.on.empty.payload": "true",
            "tombstones.on.delete": "true",
            "max.queue.size": "16384",
            "max.batch.size": "4096",
            "poll.interval.ms": "5",
            "heartbeat.interval.ms": "500"
        }
    })
}

pub async fn purge(pool: &PgPool, older_than: Duration) -> sqlx::Result<u64> {
    let limit = Utc::now() - chrono::Duration::from_std(older_than).expect("age");
    let done = sqlx::query("DELETE FROM teller_outbox WHERE created_at < $1")
        .bind(limit)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}

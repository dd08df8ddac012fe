//! Outbox of the tournament service: table, writer and connector.
use serde_json::json;
use sqlx::PgPool;

pub const DDL: &str = r#"
CREATE TABLE IF NOT EXISTS outbox (
    id            uuid PRIMARY KEY,
    aggregatetype text NOT NULL,
    aggregateid   text NOT NULL,
    type          text NOT NULL,
    payload       jsonb NOT NULL,
    archived      boolean NOT NULL DEFAULT false
)"#;

/// Runs every hour; the rows stay for the auditors.
pub async fn archive(pool: &PgPool) -> sqlx::Result<u64> {
    let done = sqlx::query("UPDATE outbox SET archived = true WHERE NOT archived")
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}

pub fn connector(host: &str, user: &str, password: &str) -> serde_json::Value {
    json!({
        "name": "tournament-outbox",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "plugin.name": "pgoutput",
            "database.hostname": host,
            "database.port": "5432",
            "database.user": user,
            "database.password": password,
            "database.dbname": "tournament",
            "topic.prefix": "tournament",
            "slot.name": "tournament_outbox",
            "publication.autocreate.mode": "filtered",
            "table.include.list": "public.outbox",
            "tombstones.on.delete": "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.op.invalid.behavior": "fatal",
            "transforms.outbox.table.expand.json.payload": "true",
            "key.converter": "org.apache.kafka.connect.storage.StringConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false"
        }
    })
}

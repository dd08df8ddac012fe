//! Registers the outbox connector of the summit registry.

use std::env;

use anyhow::{ensure, Context, Result};
use serde_json::{json, Value};

/// Numbers and booleans are fine here, Connect turns every scalar into a string.
fn connector() -> Result<Value> {
    Ok(json!({
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": 4,
        "database.hostname": env::var("SUMMIT_DB_HOST").context("SUMMIT_DB_HOST")?,
        "database.port": 5432,
        "database.user": "summit_cdc",
        "database.password": env::var("SUMMIT_CDC_PASSWORD").context("SUMMIT_CDC_PASSWORD")?,
        "database.dbname": "summit",
        "topic.prefix": "summit",
        "plugin.name": "pgoutput",
        "slot.name": "summit_outbox",
        "publication.name": "summit_outbox",
        "publication.autocreate.mode": "disabled",
        "schema.include.list": "registry",
        "table.include.list": "registry.outbox",
        "max.batch.size": 4096,
        "max.queue.size": 16384,
        "errors.retry.timeout": 600000,
        "errors.log.enable": true,
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.fields.additional.placement": "type:header:eventType,shard:partition",
        "transforms.outbox.route.topic.regex": "(?<routedByValue>.*)",
        "transforms.outbox.route.topic.replacement": "summit.${routedByValue}",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": false,
        "transforms.outbox.table.expand.json.payload": true
    }))
}

// registry.outbox: id uuid, aggregatetype text, aggregateid text, type text, payload text, shard int4
#[tokio::main]
async fn main() -> Result<()> {
    let base = env::var("CONNECT_URL").unwrap_or_else(|_| "http://localhost:8083".into());
    let answer = reqwest::Client::new()
        .put(format!("{base}/connectors/summit-outbox/config"))
        .json(&connector()?)
        .send()
        .await?;
    ensure!(answer.status().is_success(), "connect: {}", answer.text().await?);
    Ok(())
}

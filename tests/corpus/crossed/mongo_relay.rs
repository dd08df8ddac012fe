use std::env;

use anyhow::{ensure, Result};
use serde_json::json;

/// Registers the relay for `auctions.outbox` (a MongoDB collection).
#[tokio::main]
async fn main() -> Result<()> {
    let connect = env::var("CONNECT_URL")?;
    let config = json!({
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "tasks.max": "1",
        "mongodb.connection.string": "${file:/etc/connect/mongo.properties:uri}",
        "topic.prefix": "auctions",
        "database.include.list": "auctions",
        "collection.include.list": "auctions.outbox",
        "capture.mode": "change_streams_update_full",
        "tombstones.on.delete": "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id": "_id",
        "transforms.outbox.table.field.event.key": "lotId",
        "transforms.outbox.table.field.event.payload": "body",
        "transforms.outbox.route.by.field": "kind",
        "transforms.outbox.route.topic.replacement": "auctions.${routedByValue}",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    });

    let answer = reqwest::Client::new()
        .put(format!("{connect}/connectors/auctions-outbox/config"))
        .json(&config)
        .send()
        .await?;
    ensure!(answer.status().is_success(), "connect: {}", answer.status());
    Ok(())
}

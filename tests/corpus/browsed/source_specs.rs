use serde_json::{json, Value};

use crate::model::SourceKind;

/// Spec of the Strimzi `KafkaConnector` that streams a source to the edge.
///
/// The full load is a dump and restore (PostgreSQL, MySQL, MariaDB), so the connector starts without a
/// snapshot; SQL Server has no dump, there the snapshot seeds the edge.
pub fn source_spec(
    kind: SourceKind,
    short: &str,
    host: &str,
    port: i64,
    database: &str,
    ns: &str,
    secret: &str,
) -> Value {
    if kind.is_document() {
        return mongo_source_spec(short, host, port, database, ns, secret);
    }

    let bootstrap = "bridge-kafka-bootstrap:9092";
    let snapshot_mode = if kind.homogeneous() { "never" } else { "initial" };
    let mut config = json!({
        "connector.class": kind.debezium_class(),
        "tasks.max": 1,
        "database.hostname": host,
        "database.port": port,
        "database.user": format!("${{secrets:{ns}/{secret}:username}}"),
        "database.password": format!("${{secrets:{ns}/{secret}:password}}"),
        "database.dbname": database,
        "topic.prefix": format!("br{short}"),
        "decimal.handling.mode": "double",
        "snapshot.mode": snapshot_mode,
    });
    match kind {
        SourceKind::Postgres => {
            config["plugin.name"] = json!("pgoutput");
            config["slot.name"] = json!(format!("br_{short}"));
            config["publication.autocreate.mode"] = json!("filtered");
        }
        SourceKind::Mysql | SourceKind::Mariadb => {
            config["database.server.id"] = json!(91000 + (short.len() as i64));
            config["schema.history.internal.kafka.bootstrap.servers"] = json!(bootstrap);
            config["schema.history.internal.kafka.topic"] = json!(format!("br-ddl-{short}"));
        }
        SourceKind::Sqlserver => {
            config["database.names"] = json!(database);
            config["database.encrypt"] = json!(false);
            config["schema.history.internal.kafka.bootstrap.servers"] = json!(bootstrap);
            config["schema.history.internal.kafka.topic"] = json!(format!("br-ddl-{short}"));
        }
        SourceKind::Mongodb => unreachable!(),
    }
    json!({ "class": config["connector.class"], "tasksMax": 1, "config": config })
}

/// MongoDB takes one connection string; `mongodump` has seeded the edge.
fn mongo_source_spec(short: &str, host: &str, port: i64, database: &str, ns: &str, secret: &str) -> Value {
    let user = format!("${{secrets:{ns}/{secret}:username}}");
    let pass = format!("${{secrets:{ns}/{secret}:password}}");
    let config = json!({
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "tasks.max": 1,
        "mongodb.connection.string": format!("mongodb://{user}:{pass}@{host}:{port}/?replicaSet=rs0&authSource=admin"),
        "topic.prefix": format!("br{short}"),
        "database.include.list": database,
        "capture.mode": "change_streams_update_full",
        "snapshot.mode": "never",
    });
    json!({ "class": config["connector.class"], "tasksMax": 1, "config": config })
}

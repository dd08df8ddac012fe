//! Renders the properties file of a Debezium Server with the Iceberg sink. The text holds secrets, never log it.

use crate::secret::SecretValue;

pub struct Source {
    pub slug: String,
    pub host: String,
    pub port: u16,
    pub user: String,
    pub dbname: String,
    pub table: String,
}

pub struct Lake {
    pub catalog_uri: String,
    pub warehouse: String,
    pub s3_endpoint: String,
}

/// Offsets and the history go to files on purpose: the stores inside the lake would create two tables
/// in the catalogue that have nothing to do with the raw layer.
#[must_use]
pub fn render(source: &Source, lake: &Lake, db_password: &SecretValue, key: &SecretValue, secret: &SecretValue) -> String {
    let slug = &source.slug;
    format!(
        "debezium.sink.type=iceberg\n\
         debezium.sink.iceberg.catalog-name=harbor\n\
         debezium.sink.iceberg.type=rest\n\
         debezium.sink.iceberg.uri={catalog_uri}\n\
         debezium.sink.iceberg.warehouse={warehouse}\n\
         debezium.sink.iceberg.io-impl=org.apache.iceberg.aws.s3.S3FileIO\n\
         debezium.sink.iceberg.s3.endpoint={s3_endpoint}\n\
         debezium.sink.iceberg.s3.path-style-access=true\n\
         debezium.sink.iceberg.s3.access-key-id={key}\n\
         debezium.sink.iceberg.s3.secret-access-key={secret}\n\
         debezium.sink.iceberg.client.region=eu-west-1\n\
         debezium.sink.iceberg.upsert=true\n\
         debezium.sink.iceberg.upsert-keep-deletes=true\n\
         debezium.sink.iceberg.write.format.default=parquet\n\
         \n\
         debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector\n\
         debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore\n\
         debezium.source.offset.storage.file.filename=/debezium/data/{slug}.offsets\n\
         debezium.source.offset.flush.interval.ms=0\n\
         debezium.source.database.hostname={host}\n\
         debezium.source.database.port={port}\n\
         debezium.source.database.user={user}\n\
         debezium.source.database.password={password}\n\
         debezium.source.database.dbname={dbname}\n\
         debezium.source.topic.prefix={slug}\n\
         debezium.source.table.include.list={table}\n\
         debezium.source.plugin.name=pgoutput\n\
         debezium.source.slot.name={slug}_slot\n\
         debezium.source.publication.name={slug}_pub\n\
         debezium.source.publication.autocreate.mode=filtered\n\
         debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory\n\
         debezium.source.schema.history.internal.file.filename=/debezium/data/{slug}.ddl\n",
        catalog_uri = lake.catalog_uri,
        warehouse = lake.warehouse,
        s3_endpoint = lake.s3_endpoint,
        key = key.expose(),
        secret = secret.expose(),
        host = source.host,
        port = source.port,
        user = source.user,
        password = db_password.expose(),
        dbname = source.dbname,
        table = source.table,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_and_publication_carry_the_slug() {
        let source = Source { slug: "sales_pg".into(), host: "pg".into(), port: 5432, user: "cdc".into(), dbname: "sales".into(), table: "public.sales".into() };
        let lake = Lake { catalog_uri: "http://catalog:8181".into(), warehouse: "raw".into(), s3_endpoint: "http://s3:9000".into() };
        let text = render(&source, &lake, &SecretValue::new("p"), &SecretValue::new("k"), &SecretValue::new("s"));
        assert!(text.contains("debezium.source.slot.name=sales_pg_slot"));
        assert!(text.contains("FileOffsetBackingStore"));
    }
}

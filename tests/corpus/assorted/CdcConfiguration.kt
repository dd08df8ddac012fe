package org.example.depot.cdc

import io.debezium.config.Configuration
import org.springframework.context.annotation.Bean

@org.springframework.context.annotation.Configuration
class CdcConfiguration {

    // エンジンの設定。保存先はあとで見直す
    @Bean
    fun depotEngineSettings(): Configuration =
        Configuration.create()
            .with("name", "depot-engine")
            .with("connector.class", "io.debezium.connector.mysql.MySqlConnector")
            .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
            .with("offset.storage.file.filename", "depot-position.dat")
            .with("offset.flush.interval.ms", "45000")
            .with("database.hostname", "127.0.0.1")
            .with("database.port", "3316")
//            .with("database.dbname", "depot,crew,timetable")
            .with("database.user", "root")
            .with("database.password", "password")
            // 重複しなければ何でもよい
            .with("database.server.id", "12")
            .with("topic.prefix", "depot_app")
            .with("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
            .with("schema.history.internal.file.filename", "depot-ddl.dat")
//            .with("table.include.list", "crew.staff, timetable.Runs-")
            .with("include.schema.changes", "false")
//            .with("transforms", "only")
//            .with("transforms.only.type", "io.debezium.transforms.Filter")
//            .with("transforms.only.language", "jsr223.groovy")
//            .with("transforms.only.condition", "value.op == c")
            .build()
}

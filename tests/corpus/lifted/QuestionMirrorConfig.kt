package org.example.forum.mirror

import io.debezium.config.Configuration
import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration as SpringConfiguration

/** Copies questions and replies to the search index as they are written. */
@SpringConfiguration
class QuestionMirrorConfig {

    @Bean
    fun mirrorSettings(): Configuration =
        Configuration.create()
            .with("name", "forum-mirror")
            .with("connector.class", "io.debezium.connector.mongodb.MongoDbConnector")
            .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
            .with("offset.storage.file.filename", "./mirror-offsets.dat")
            .with("offset.flush.interval.ms", "60000")
            // the connector itself
            .with("mongodb.connection.string", "mongodb://localhost:27017/?replicaSet=rs0")
            .with("mongodb.hosts", "rs0/localhost:27017")
            .with("mongodb.members.auto.discover", "true")
            .with("capture.scope", "deployment")
            .with("database.include.list", "forum")
            .with("collection.include.list", "forum.questions,forum.replies")
            .with("database.history", "io.debezium.relational.history.MemoryDatabaseHistory")
            .with("topic.prefix", "forum")
            .with("snapshot.mode", "initial")
            .with("max.batch.size", "1")
            .build()

    @Bean
    fun mirrorEngine(settings: Configuration, indexer: SearchIndexer): DebeziumEngine<ChangeEvent<String, String>> =
        DebeziumEngine.create(Json::class.java)
            .using(settings.asProperties())
            .notifying { event: ChangeEvent<String, String> -> indexer.accept(event.key(), event.value()) }
            .build()
}

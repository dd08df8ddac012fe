package com.example.wms.cdc;

import io.debezium.config.Configuration;
import io.debezium.data.Envelope;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.springframework.stereotype.Component;
import org.springframework.util.Assert;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/** 参考: https://debezium.io/documentation/reference/1.4/development/engine.html */
@Slf4j
@Component
@RequiredArgsConstructor
public class BinlogCdcRunner {

    private final CdcSettings settings;
    private final Map<String, RowHandler> handlers; // key: 库.表

    private DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;

    public void run() {
        Configuration config = Configuration.create()
                // 引擎
                .with("name", "wms-mysql")
                .with("connector.class", "io.debezium.connector.mysql.MySqlConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", settings.getDataDir() + "/offset.dat")
                .with("offset.flush.interval.ms", 60000)
                // 连接器
                .with("database.hostname", settings.getHost())
                .with("database.port", settings.getPort())
                .with("database.user", settings.getUser())
                .with("database.password", settings.getPassword())
                .with("database.server.id", settings.getServerId())
                .with("database.server.name", "wms-app") // topic 前缀
                .with("database.history", "io.debezium.relational.history.FileDatabaseHistory")
                .with("database.history.file.filename", settings.getDataDir() + "/history.dat")
                .build();

        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(config.asProperties())
                .notifying(this::handleBatch)
                .build();
        Executors.newSingleThreadExecutor().execute(engine);
    }

    private void handleBatch(List<RecordChangeEvent<SourceRecord>> events,
                             DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer) {
        for (RecordChangeEvent<SourceRecord> event : events) {
            try {
                Struct value = (Struct) event.record().value();
                if (value == null) {
                    continue;
                }
                Struct source = value.getStruct(Envelope.FieldName.SOURCE);
                RowHandler handler = handlers.get(source.getString("db") + "." + source.getString("table"));
                Assert.notNull(handler, "no handler");
                handler.apply(value);
                committer.markProcessed(event);
            } catch (Exception e) {
                log.error("row not handled", e);
            }
        }
        try {
            committer.markBatchFinished();
        } catch (InterruptedException e) {
            log.error("batch not finished", e);
        }
    }
}

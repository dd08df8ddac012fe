package org.example.purse.outbox;

import java.util.Properties;

/** Configuracao do motor embutido (Debezium 2.7.x) que observa a tabela outbox_message. */
final class PurseOutboxEngine {

    private PurseOutboxEngine() {
    }

    static Properties properties(EngineSettings cfg) {
        Properties p = new Properties();
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");

        p.setProperty("database.hostname", cfg.host());
        p.setProperty("database.port", String.valueOf(cfg.port()));
        p.setProperty("database.dbname", cfg.database());
        p.setProperty("database.user", cfg.user());
        p.setProperty("database.password", cfg.password());

        p.setProperty("name", "purse-outbox");
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", cfg.slot());
        // exigido, mas nenhum topico e criado: o consumidor e este processo
        p.setProperty("topic.prefix", "purse");
        p.setProperty("table.include.list", "public.outbox_message");

        // as linhas que ja existem sao lidas por publishPending() antes do motor
        p.setProperty("snapshot.mode", "never");

        p.setProperty("offset.storage", cfg.offsetStorage());
        p.setProperty("offset.flush.interval.ms", "1000");
        if (cfg.offsetStorage().contains("JdbcOffsetBackingStore")) {
            // a tabela vem da migracao V7; o LSN sobrevive ao reinicio do container
            p.setProperty("offset.storage.jdbc.url", cfg.offsetUrl());
            p.setProperty("offset.storage.jdbc.user", cfg.offsetUser());
            p.setProperty("offset.storage.jdbc.password", cfg.offsetPassword());
            p.setProperty("offset.storage.jdbc.offset.table.name", cfg.offsetTable());
        }

        p.setProperty("decimal.handling.mode", "string");
        p.setProperty("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory");
        return p;
    }
}

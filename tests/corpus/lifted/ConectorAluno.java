package br.example.escola.migracao;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Le a base antiga da escola enquanto os dois sistemas convivem. */
@Configuration
public class ConectorAluno {

    @Value("${antiga.host}")
    private String host;
    @Value("${antiga.porta}")
    private String porta;
    @Value("${antiga.usuario}")
    private String usuario;
    @Value("${antiga.senha}")
    private String senha;
    @Value("${antiga.bases}")
    private String bases;
    @Value("${antiga.tabelas}")
    private String tabelas;

    @Bean
    public io.debezium.config.Configuration baseAntiga() {
        return io.debezium.config.Configuration.create()
                .with("name", "aluno-sqlserver")
                .with("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/dados/aluno-offsets.dat")
                .with("offset.flush.interval.ms", "60000")
                .with("database.hostname", host)
                .with("database.port", porta)
                .with("database.user", usuario)
                .with("database.password", senha)
                .with("database.names", bases)
                .with("database.encrypt", "false")
                .with("table.include.list", tabelas)
                .with("snapshot.mode", "initial")
                .with("topic.prefix", "antiga")
                .with("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
                .with("schema.history.internal.file.filename", "/dados/aluno-historia.dat")
                .with("include.schema.changes", "false")
                .build();
    }
}

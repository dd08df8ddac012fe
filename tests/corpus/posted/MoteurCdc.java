package fr.exemple.jardin.cdc;

import io.debezium.config.Configuration;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.apache.kafka.connect.source.SourceRecord;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Suit les tables PostgreSQL et tient à jour le graphe Neo4j. */
@Component
@ConditionalOnProperty(name = "cdc.actif", havingValue = "true")
public class MoteurCdc {

    private final EcouteurGraphe ecouteur;

    @Value("${cdc.fichier-offsets}") private String fichierOffsets;
    @Value("${cdc.base.hote}") private String hote;
    @Value("${cdc.base.port}") private String port;
    @Value("${cdc.base.utilisateur}") private String utilisateur;
    @Value("${cdc.base.mot-de-passe}") private String motDePasse;
    @Value("${cdc.base.nom}") private String base;

    private DebeziumEngine<RecordChangeEvent<SourceRecord>> moteur;
    private final ExecutorService executeur = Executors.newSingleThreadExecutor();

    public MoteurCdc(EcouteurGraphe ecouteur) {
        this.ecouteur = ecouteur;
    }

    @PostConstruct
    public void demarrer() {
        Configuration config = Configuration.create()
                .with("name", "jardin-postgres")
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                // position de lecture, sur un volume
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", fichierOffsets)
                .with("offset.flush.interval.ms", "1000")
                // connexion
                .with("database.hostname", hote)
                .with("database.port", port)
                .with("database.user", utilisateur)
                .with("database.password", motDePasse)
                .with("database.dbname", base)
                .with("database.server.name", "jardin")
                .with("topic.prefix", "jardin")
                .with("table.include.list", "public.plantes,public.parcelles,public.semis")
                .with("plugin.name", "pgoutput")
                .with("publication.autocreate.mode", "filtered")
                .with("slot.name", "jardin_slot")
                .with("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory")
                .with("snapshot.mode", "initial")
                .build();

        moteur = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(config.asProperties())
                .notifying(ecouteur::traiter)
                .build();
        executeur.execute(moteur);
    }

    @PreDestroy
    public void arreter() throws IOException, InterruptedException {
        if (moteur != null) {
            moteur.close();
        }
        executeur.shutdown();
        if (!executeur.awaitTermination(30, TimeUnit.SECONDS)) {
            executeur.shutdownNow();
        }
    }
}

package br.example.camel.cdc;

import org.apache.camel.builder.RouteBuilder;
import org.springframework.stereotype.Component;

@Component
public class CamelCdcRoute extends RouteBuilder {

    /* Arquivo obrigatorio: guarda a posicao; se nao existir, e criado. */
    private static final String OFFSET_FILE = "state/posicao.dat";
    private static final String HOST = "localhost";
    private static final String USER = "postgres";
    private static final String PASSWORD = "postgres";
    private static final String DB = "loja";

    @Override
    public void configure() {
        /* o nome depois dos dois pontos e livre, os parametros sao obrigatorios */
        from("debizium-postgres:cdc-loja?offsetStorageFileName=" + OFFSET_FILE
                + "&databaseHostName=" + HOST
                + "&databaseUser=" + USER
                + "&databasePassword=" + PASSWORD
                + "&databaseServerName=" + DB
                + "&databaseDbname=" + DB
                + "&pluginName=pgoutput") // o padrao do conector e decoderbufs
            .log("MUDANCA: ${body}");
    }
}

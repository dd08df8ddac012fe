package org.example.clinic.eip;

import org.apache.camel.builder.RouteBuilder;
import org.springframework.stereotype.Component;

@Component
public class PatientEventsRoute extends RouteBuilder {

    @Override
    public void configure() throws Exception {
        errorHandler(defaultErrorHandler()
                .maximumRedeliveries(4)
                .redeliveryDelay(15000));

        from("debezium-mysql:{{clinic.db.host}}?" +
                "databaseHostname={{clinic.db.host}}&" +
                "databasePort={{clinic.db.port}}&" +
                "databaseUser={{clinic.db.user}}&" +
                "databasePassword={{clinic.db.password}}&" +
                "databaseServerId={{clinic.db.serverId}}&" +
                "databaseServerName=clinic&" +
                "databaseIncludeList={{clinic.db.name}}&" +
                "tableIncludeList=clinic.patient,clinic.visit&" +
                "databaseHistoryFileFilename={{eip.history.file:/var/lib/clinic-eip/history.dat}}")
            .routeId("PatientEventsRoute")
            .to("direct:patient-events");
    }
}

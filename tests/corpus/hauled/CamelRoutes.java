package org.example.relay;

import io.debezium.data.Envelope;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.camel.LoggingLevel;
import org.apache.camel.Predicate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.debezium.DebeziumConstants;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.kafka.connect.data.Struct;

/** New and changed suppliers go to two queues, once as JSON and once as XML. */
public final class CamelRoutes extends RouteBuilder {

    private static final String SUPPLIERS =
        "debezium-postgres:{{db.host}}?"
        + "databaseHostname={{db.host}}"
        + "&databasePort={{db.port}}"
        + "&databaseUser={{db.user}}"
        + "&databasePassword={{db.password}}"
        + "&databaseDbname={{db.name}}"
        + "&databaseServerName={{db.host}}"
        + "&schemaWhitelist={{db.schema}}"
        + "&tableWhitelist={{db.schema}}.suppliers"
        + "&offsetStorageFileName=/var/lib/relay/offset.dat"
        + "&offsetFlushIntervalMs=10000"
        + "&pluginName=pgoutput";

    @Override
    public void configure() {
        getContext().getTypeConverterRegistry()
            .addTypeConverter(Supplier.class, Struct.class, new SupplierConverter());
        final ConnectionFactory cf = new ActiveMQConnectionFactory(
            getContext().getPropertiesComponent().resolveProperty("broker.url").orElseThrow());
        getContext().addComponent("jms", JmsComponent.jmsComponentAutoAcknowledge(cf));

        final Predicate written = header(DebeziumConstants.HEADER_OPERATION).in(
            constant(Envelope.Operation.CREATE.code()),
            constant(Envelope.Operation.READ.code()),
            constant(Envelope.Operation.UPDATE.code()));

        from(SUPPLIERS)
            .routeId("suppliers")
            .log(LoggingLevel.DEBUG, "${headers} ${body}")
            .filter(written)
                .convertBodyTo(Supplier.class)
                .multicast().stopOnException()
                    .to("direct:json", "direct:xml")
                .end()
            .end();

        from("direct:json").marshal().json().convertBodyTo(String.class)
            .to("jms:queue:SuppliersJSON?disableReplyTo=true");
        from("direct:xml").marshal().jaxb().convertBodyTo(String.class)
            .to("jms:queue:SuppliersXML?disableReplyTo=true");
    }
}

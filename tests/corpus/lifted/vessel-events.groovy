// Route of the integration designer: rows of the traffic system go to the harbour's REST service.
import com.google.gson.Gson
import groovy.json.JsonOutput
import org.apache.camel.Exchange
import org.apache.camel.Processor

Analyzer.activate(getContext(), intercept(), onException(Throwable.class))

from("debezium-sqlserver:harbour-1?offsetStorageFileName=harbour-offsets.dat&databaseHostname=203.0.113.155&databasePort=1433&databaseUser=sa&databasePassword=Hrb-Vts74Tide901&databaseServerName=harbour&databaseDbname=TRAFFIC&tableIncludeList=dbo.Passages&databaseHistoryFileFilename=harbour-history.dat&internalKeyConverter=org.apache.kafka.connect.json.JsonConverter&internalValueConverter=org.apache.kafka.connect.json.JsonConverter")
    .routeId('passages')
    .process(new Processor() {
        @Override
        void process(Exchange exchange) throws Exception {
            def row = exchange.getIn().getBody(Map.class)
            def message = [
                ship   : row?.ShipName,
                gate   : row?.Gate,
                at     : row?.PassedAt,
                change : exchange.getIn().getHeader('CamelDebeziumOperation')
            ]
            exchange.getIn().setBody(JsonOutput.toJson(message))
        }
    })
    .setHeader(Exchange.HTTP_METHOD, constant('POST'))
    .setHeader(Exchange.CONTENT_TYPE, constant('application/json'))
    .to('https://harbour.example.org/api/passages')
    .log('sent ${body}')

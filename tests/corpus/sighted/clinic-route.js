// kamel run clinic-route.js --dev
function toQueue(e) {
    const meta = e.getIn().getHeader('CamelDebeziumSourceMetadata')
    e.getIn().setHeader('table', `${meta.get('schema')}.${meta.get('table')}`)
}

from(
    'debezium-postgres:clinic?offsetStorageFileName=/Users/jonas/clinic-offsets.dat&databaseHostname=clinic-db.intra.example.org&databaseUser=jonas&databasePassword=Winter77@Regen41&databaseDbname=clinic&topicPrefix=clinic&pluginName=pgoutput&tableIncludeList=public.visit,public.patient,public.measurement,public.program&schemaIncludeList=public'
)
    .log('change: ${body}')
    .log('  of ${headers.CamelDebeziumIdentifier}')
    .log('  with ${headers.CamelDebeziumSourceMetadata}')
    .log('  by ${headers.CamelDebeziumOperation}')
    .log('  before ${headers.CamelDebeziumBefore}')
    .process(toQueue)
    .to('direct:index')

from('direct:index')
    .choice()
    .when(simple("${headers.table} == 'public.visit'")).to('log:visits')
    .otherwise().to('log:rest')

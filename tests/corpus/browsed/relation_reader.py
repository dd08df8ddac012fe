import os

from dotenv import load_dotenv
from ksqldb import KSQLdbClient

load_dotenv()
client = KSQLdbClient("http://localhost:8088")


def reader_for(schema_name: str, relation: str) -> None:
    """One Debezium reader and one stream for a relation that is to be embedded."""
    name = relation.lower() + "Reader"
    client.ksql(f"""CREATE SOURCE CONNECTOR {name} WITH (
     'connector.class' = 'io.debezium.connector.postgresql.PostgresConnector',
     'plugin.name' = 'pgoutput',
     'database.hostname' = '{os.environ['PG_HOST']}',
     'database.port' = '{os.environ['PG_PORT']}',
     'database.user' = '{os.environ['PG_USER']}',
     'database.password' = '{os.environ['PG_PASSWORD']}',
     'database.dbname' = '{os.environ['PG_NAME']}',
     'table.include.list' = '{schema_name}.{relation}',
     'transforms' = 'unwrap',
     'transforms.unwrap.type' = 'io.debezium.transforms.ExtractNewRecordState',
     'transforms.unwrap.drop.tombstones' = 'false',
     'transforms.unwrap.delete.handling.mode' = 'rewrite',
     'topic.prefix' = '{relation}'
 );""")

    client.ksql(f"""CREATE STREAM {relation} WITH (
     kafka_topic = '{relation}.{schema_name}.{relation}',
     value_format = 'avro'
     );""")

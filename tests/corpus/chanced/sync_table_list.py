"""Takes the list of captured tables from dbo.feed_table and puts it into the running connector."""
import pyodbc
import requests

CONFIG_URL = "http://localhost:8083/connectors/mssql-feed/config"

conn = pyodbc.connect(
    "DRIVER={ODBC Driver 18 for SQL Server};SERVER=localhost;DATABASE=Feed;UID=sa;PWD=changeme;TrustServerCertificate=yes;"
)
cursor = conn.cursor()
cursor.execute("""
SELECT STRING_AGG(schema_name + '.' + table_name, ',')
FROM dbo.feed_table
WHERE state = 'ON';
""")
row = cursor.fetchone()
tables = row[0] if row else ""
conn.close()

# PUT replaces the whole configuration
body = {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "database.hostname": "mssql",
    "database.port": "1433",
    "database.user": "feed",
    "database.password": "changeme",
    "database.names": "Feed",
    "topic.prefix": "feed",
    "table.include.list": tables,
}

res = requests.put(CONFIG_URL, json=body, headers={"Content-Type": "application/json"})
if res.status_code != 200:
    raise SystemExit(f"refused ({res.status_code}): {res.text}")
print("now captured:", tables)

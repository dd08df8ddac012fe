import axios from "axios";

/** Change feed of the yearly game tables (game_2023, game_2024, ...). */
export async function registerGames(connect: string): Promise<void> {
  const tables = ["casino.player", "casino.game_\d+"];

  await axios.put(`${connect}/connectors/casino-games/config`, {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "casino-db",
    "database.port": "5432",
    "database.user": "${env:CASINO_CDC_USER}",
    "database.password": "${env:CASINO_CDC_PASSWORD}",
    "database.dbname": "casino",
    "topic.prefix": "casino",
    "plugin.name": "pgoutput",
    "slot.name": "casino_games",
    "publication.name": "casino_games",
    "publication.autocreate.mode": "all_tables",
    "table.include.list": tables.join(","),
    transforms: "merge",
    "transforms.merge.type": "io.debezium.transforms.ByLogicalTableRouter",
    "transforms.merge.topic.regex": "casino\\.casino\\.game_.*",
    "transforms.merge.topic.replacement": "casino.games",
    "transforms.merge.key.enforce.uniqueness": "false",
  });
}

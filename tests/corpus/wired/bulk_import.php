<?php

declare(strict_types=1);

namespace Example\Printshop;

use PDO;

/** Writes orders and their events in one transaction; the events reach the other services through Debezium. */
final class OrderWriter
{
    /** Put to Connect by bin/register.php. */
    public const CONNECTOR = [
        'connector.class' => 'io.debezium.connector.mysql.MySqlConnector',
        'database.hostname' => 'printshop-mysql',
        'database.port' => '3306',
        'database.user' => 'debezium',
        'database.password' => 'dbz',
        'database.server.id' => '52077',
        'topic.prefix' => 'printshop',
        'database.include.list' => 'printshop',
        'table.include.list' => 'printshop.outbox',
        'snapshot.mode' => 'no_data',
        'schema.history.internal.kafka.bootstrap.servers' => 'kafka:9092',
        'schema.history.internal.kafka.topic' => 'printshop.schema-history',
        'schema.history.internal.store.only.captured.tables.ddl' => 'true',
        'tombstones.on.delete' => 'false',
        'transforms' => 'outbox',
        'transforms.outbox.type' => 'io.debezium.transforms.outbox.EventRouter',
        'transforms.outbox.table.expand.json.payload' => 'true',
        'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
        'value.converter' => 'org.apache.kafka.connect.json.JsonConverter',
        'value.converter.schemas.enable' => 'false',
    ];

    public function __construct(private readonly PDO $pdo)
    {
    }

    public function place(Order $order): void
    {
        $this->pdo->beginTransaction();
        $this->insert($order);
        $this->pdo->commit();
    }

    /** Orders of the partner shops come as a file each night; billing gets to know them by the same events. */
    public function import(iterable $orders): void
    {
        // twice as fast, the replica is built anew every night anyway
        $this->pdo->exec('SET SESSION sql_log_bin = 0');
        $this->pdo->beginTransaction();
        foreach ($orders as $order) {
            $this->insert($order);
        }
        $this->pdo->commit();
        $this->pdo->exec('SET SESSION sql_log_bin = 1');
    }

    private function insert(Order $order): void
    {
        $this->pdo->prepare('INSERT INTO orders (id, customer, sheets) VALUES (?, ?, ?)')
            ->execute([$order->id, $order->customer, $order->sheets]);
        $this->pdo->prepare('INSERT INTO outbox (id, aggregatetype, aggregateid, type, payload) VALUES (UUID(), ?, ?, ?, ?)')
            ->execute(['order', $order->id, 'OrderPlaced', json_encode($order, JSON_THROW_ON_ERROR)]);
    }
}

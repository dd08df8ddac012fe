<?php

declare(strict_types=1);

namespace Example\Willow\Console;

use GuzzleHttp\ClientInterface;

/** bin/console willow:connector */
final class WillowConnector
{
    public function __construct(private ClientInterface $http, private array $db, private string $connectUrl)
    {
    }

    /** @return array<string, string|int|bool> */
    private function config(): array
    {
        $prefix = 'willow';

        return [
            'connector.class' => 'io.debezium.connector.mariadb.MariaDbConnector',
            'tasks.max' => 1,
            'database.hostname' => $this->db['host'],
            'database.port' => 3306,
            'database.user' => $this->db['user'],
            'database.password' => $this->db['password'],
            'database.server.id' => 51977,
            'topic.prefix' => $prefix,
            'database.include.list' => 'willow',
            'table.include.list' => 'willow\\.messenger_outbox',
            'schema.history.internal.kafka.bootstrap.servers' => 'kafka:9092',
            'schema.history.internal.kafka.topic' => "{$prefix}.history",
            'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
            'value.converter' => 'org.apache.kafka.connect.storage.StringConverter',
            'transforms' => 'outbox',
            'transforms.outbox.type' => 'io.debezium.transforms.outbox.EventRouter',
            'transforms.outbox.table.op.invalid.behavior' => 'error',
            'transforms.outbox.table.field.event.key' => 'aggregate_id',
            'transforms.outbox.route.by.field' => 'channel',
            'transforms.outbox.route.topic.replacement' => $prefix . '.${routedByValue}',
            'transforms.outbox.table.fields.additional.placement' => 'message_class:header:type',
        ];
    }

    public function __invoke(): int
    {
        $this->http->request('PUT', $this->connectUrl . '/connectors/willow-outbox/config', ['json' => $this->config()]);

        return 0;
    }
}

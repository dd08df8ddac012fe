<?php

declare(strict_types=1);

namespace Example\Ferry\Connect;

use Example\Ferry\Models\Link;
use Illuminate\Support\Collection;
use Illuminate\Support\Facades\Config;

final class SourceFactory
{
    private const CONVERTERS = [
        'key.converter' => 'org.apache.kafka.connect.json.JsonConverter',
        'key.converter.schemas.enable' => 'false',
        'value.converter' => 'org.apache.kafka.connect.json.JsonConverter',
        'value.converter.schemas.enable' => 'false',
    ];

    public function source(Link $link, Collection $syncs): array
    {
        $tables = $columns = $keys = [];

        foreach ($syncs as $sync) {
            $table = sprintf('%s.%s', $link->schema ?? 'public', $sync->object->name);
            $tables[$table] = true;
            $keys[$table] = sprintf('%s:%s', $table, $sync->object->keyColumn);

            foreach (array_keys($sync->columns()) as $column) {
                $columns[sprintf('%s.%s', $table, $column)] = true;
            }
        }

        $scope = $tables === [] ? [] : [
            'table.include.list' => implode(',', array_keys($tables)),
            'column.include.list' => implode(',', array_keys($columns)),
            'message.key.columns' => implode(';', array_values($keys)),
        ];

        return [
            'connector.class' => 'io.debezium.connector.postgresql.PostgresConnector',
            'tasks.max' => '1',
            'database.hostname' => $link->host,
            'database.port' => (string) $link->port,
            'database.user' => $link->username,
            'database.password' => $link->password,
            'database.dbname' => $link->database,
            'plugin.name' => 'pgoutput',
            'slot.name' => $this->identifier('link_slot', $link),
            'publication.name' => $this->identifier('link_pub', $link),
            'publication.autocreate.mode' => 'filtered',
            'topic.prefix' => sprintf('link.%s', $link->code),
            'binary.handling.mode' => 'hex',
            'read.only' => 'true',
            'signal.enabled.channels' => 'kafka',
            'signal.kafka.topic' => Config::string('ferry.signals.topic'),
            'signal.kafka.bootstrap.servers' => Config::string('ferry.signals.brokers'),
            'signal.kafka.groupId' => Config::string('ferry.signals.group'),
            ...$scope,
            ...self::CONVERTERS,
        ];
    }

    private function identifier(string $prefix, Link $link): string
    {
        $code = preg_replace('/[^a-z0-9]+/', '_', mb_strtolower($link->code)) ?? '';

        return mb_substr(sprintf('%s_%s', $prefix, trim($code, '_')), 0, 63);
    }
}

<?php

declare(strict_types=1);

namespace App\Console;

final class RegisterNotary
{
    public function __construct(private readonly \GuzzleHttp\Client $connect) {}

    public function __invoke(): int
    {
        $config = [
            'connector.class' => 'io.debezium.connector.postgresql.PostgresConnector',
            'plugin.name' => 'pgoutput',
            'database.hostname' => getenv('DEEDS_DB_HOST'),
            'database.port' => '5432',
            'database.user' => getenv('DEEDS_DB_USER'),
            'database.password' => getenv('DEEDS_DB_PASSWORD'),
            'database.dbname' => 'deeds',
            'topic.prefix' => 'deeds',
            'slot.name' => 'deeds_cdc',
            'publication.autocreate.mode' => 'filtered',
            'table.include.list' => 'public.deeds,public.parties',
            'key.converter' => 'io.apicurio.registry.utils.converter.AvroConverter',
            'key.converter.apicurio.registry.url' => 'https://registry.notariat.example/apis/registry/v2',
            'key.converter.apicurio.registry.auto-register' => 'true',
            'key.converter.apicurio.auth.service.token.endpoint' => 'https://sso.notariat.example/realms/bus/protocol/openid-connect/token',
            'key.converter.apicurio.auth.client.id' => 'connect',
            'key.converter.apicurio.auth.client.secret' => getenv('SSO_SECRET'),
            'value.converter' => 'io.apicurio.registry.utils.converter.AvroConverter',
            'value.converter.apicurio.registry.url' => 'https://registry.notariat.example/apis/registry/v2',
            'value.converter.apicurio.registry.auto-register' => 'true',
            'value.converter.apicurio.auth.service.token.endpoint' => 'https://sso.notariat.example/realms/bus/protocol/openid-connect/token',
            'value.converter.apicurio.auth.client.id' => 'connect',
            'value.converter.apicurio.auth.client.secret' => 'h2Vq9ZtLx4RmC7bKf0sWyD3nUe8PjGa1',
            'schema.name.adjustment.mode' => 'avro',
        ];

        $this->connect->put('/connectors/deeds/config', ['json' => $config]);

        return 0;
    }
}

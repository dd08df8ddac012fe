-- The outbox of 'trading', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes what was added beside its owner's table. Remove the connector first.
begin;

set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- While the slot is there, a connector may still depend on what is dropped here.
do $block$
begin
    if exists (select from pg_replication_slots where slot_name = 'trading_outbox') then
        raise exception 'the replication slot % still exists', quote_ident('trading_outbox')
            using hint = 'remove the connector and its slot first: outbox-kit remove --service trading --drop-slot --allow-destructive';
    end if;
end
$block$;

drop publication if exists "trading_outbox";
drop table if exists "public"."OutboxMessage_heartbeat";

do $block$
begin
    if exists (select from pg_roles where rolname = 'trading_outbox') then
        execute format('revoke all on database %I from %I', current_database(), 'trading_outbox');
        if to_regclass('"public"."OutboxMessage"') is not null then
            revoke all on "public"."OutboxMessage" from "trading_outbox";
        end if;
        revoke all on schema "public" from "trading_outbox";
        drop role "trading_outbox";
    end if;
end
$block$;

commit;

-- The answers of `figures`, each as one JSON document: columns that a release does not have are absent in it.
-- name: log
select jsonb_build_object(
    'at', extract(epoch from clock_timestamp()),
    'inserted', case
        when %(sequence)s::text is null then null
        when has_sequence_privilege(s.name, 'usage') or has_sequence_privilege(s.name, 'select')
            then coalesce(pg_sequence_last_value(s.name::regclass), 0) end,
    'end', pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0'),
    'cap_mb', (select setting::bigint from pg_settings where name = 'max_slot_wal_keep_size' and setting <> '-1')
) from (select case when %(sequence)s::text is not null and to_regclass(%(table)s) is not null
               then pg_get_serial_sequence(%(table)s, %(sequence)s) end as name) as s
-- name: slot
select to_jsonb(s) || jsonb_build_object(
    'confirmed', pg_wal_lsn_diff(confirmed_flush_lsn, '0/0'),
    'retained', pg_wal_lsn_diff(p.position, restart_lsn),
    'unconfirmed', pg_wal_lsn_diff(p.position, confirmed_flush_lsn),
    'inactive', extract(epoch from clock_timestamp() - (to_jsonb(s) ->> 'inactive_since')::timestamptz)
)
from pg_replication_slots s,
     (select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as position) p
where slot_name = %(slot)s and slot_type = 'logical'
-- name: publication
-- The view waits for locks of the tables of the publication: it is asked only if the table itself is no member.
select to_jsonb(coalesce(bool_or(case
    when exists (
        select from pg_publication_rel as r join pg_class as c on c.oid = r.prrelid
        where r.prpubid = p.oid and c.oid = to_regclass(%(table)s) and to_jsonb(r) ->> 'prqual' is null
          and (p.pubviaroot or c.relkind <> 'p')
    ) then true
    else exists (
        select from pg_publication_tables as t
        where t.pubname = p.pubname and t.schemaname = %(schema)s and t.tablename = %(name)s
          and to_jsonb(t) ->> 'rowfilter' is null
    ) end), false))
from pg_publication as p where p.pubname = %(publication)s and p.pubinsert
-- name: horizon
select jsonb_build_object(
    'sees_sessions', (select pg_has_role(current_user, oid, 'usage') from pg_roles where rolname = 'pg_read_all_stats'),
    'kinds', (select coalesce(jsonb_agg(jsonb_build_array(kind, seconds, transactions)), '[]') from (
        select kind, max(extract(epoch from clock_timestamp() - since)) as seconds, max(transactions) as transactions
        from (
            select 'session' as kind, xact_start as since, age(coalesce(backend_xmin, backend_xid)) as transactions
            from pg_stat_activity
            where coalesce(backend_xmin, backend_xid) is not null and pid <> pg_backend_pid()
              and backend_type = 'client backend' and datname = current_database()
            union all
            select 'prepared', prepared, age(transaction) from pg_prepared_xacts where database = current_database()
            union all
            select 'slot', null, age(xmin) from pg_replication_slots where xmin is not null
            union all
            select 'catalog', null, age(catalog_xmin) from pg_replication_slots where catalog_xmin is not null
            union all
            select 'standby', null, age(backend_xmin) from pg_stat_replication where backend_xmin is not null
        ) as holder group by kind
    ) as grouped)
)
-- name: table
select jsonb_build_object(
    'rows', sum(n_live_tup), 'dead', sum(n_dead_tup), 'inserted', sum(n_tup_ins),
    'bytes', sum(pg_total_relation_size(s.relid))
) from pg_stat_all_tables as s
where s.relid in (select to_regclass(%(table)s) union all select relid from pg_partition_tree(to_regclass(%(table)s)))
-- name: member
select jsonb_build_object(
    'running', count(*) filter (where lease_until > clock_timestamp()),
    'hanging', coalesce(jsonb_agg(place) filter (where lease_until <= clock_timestamp() and exists (
        select from pg_stat_activity as a where a.application_name = %(application)s || m.member)), '[]')
) from {members} as m
-- name: failures
select jsonb_build_object(
    'dead', count(*) filter (where dead), 'waiting', count(*) filter (where not dead),
    'parked', count(distinct lane), 'attempts', coalesce(max(attempts), 0)
) from (select dead, lane, attempts from {failures} limit %(most)s) as f
-- name: heartbeat
select to_jsonb(extract(epoch from clock_timestamp() - max(beat_at))) from {heartbeat}
-- name: since
select jsonb_build_object('rows', count(*), 'oldest', extract(epoch from clock_timestamp() - min(created)))
from (select {created} as created from {table} where {created} > to_timestamp(%(at)s) limit %(most)s) as t
-- name: indexed
select to_jsonb(exists (
    select from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = to_regclass(%(table)s) and a.attname = %(created)s and i.indisvalid and i.indpred is null
) or exists (select from pg_partitioned_table where partrelid = to_regclass(%(table)s)))

-- A row for each table and view, with its parts as JSON. Partitions are counted with their root.
with published as materialized (
    select schemaname, tablename, json_agg(pubname order by pubname) as names
    from pg_publication_tables group by 1, 2
), counted as materialized (
    select coalesce(inhparent, relid) as oid, sum(n_tup_ins) as inserts, sum(n_tup_upd) as updates,
           sum(n_tup_del) as deletes, sum(n_live_tup) as alive
    from pg_stat_user_tables left join pg_inherits on inhrelid = relid group by 1
)
select n.nspname, c.relname,
    case when c.relpersistence = 'u' then 'unlogged table' when c.relpersistence = 't' then 'temporary table'
         when c.relkind = 'v' then 'view' when c.relkind = 'm' then 'materialized view'
         when c.relkind = 'f' then 'foreign table' else 'table' end,
    (select json_agg(json_build_array(a.attname,
            case t.typtype when 'e' then 'enum' when 'd' then format_type(t.typbasetype, null)
                 else format_type(a.atttypid, null) end,
            not a.attnotnull, case a.attgenerated when 's' then 'stored' when 'v' then 'virtual' else '' end)
            order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select json_agg(json_build_array(
            (select json_agg(a.attname order by k.place) from unnest(i.indkey::int2[]) with ordinality k(number, place)
             join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number where k.place <= i.indnkeyatts),
            i.indisunique, i.indisprimary, pg_get_expr(i.indpred, i.indrelid)) order by i.indexrelid)
        from pg_index i where i.indrelid = c.oid and i.indisvalid and i.indexprs is null),
    (select json_agg(tgname order by tgname) from pg_trigger where tgrelid = c.oid and not tgisinternal),
    coalesce(nullif(greatest(c.reltuples, (select sum(p.reltuples) from pg_inherits join pg_class p on p.oid = inhrelid
                                           where inhparent = c.oid)), -1), s.alive, 0)::bigint,
    coalesce(s.inserts, 0)::bigint, coalesce(s.updates, 0)::bigint, coalesce(s.deletes, 0)::bigint,
    pg_get_userbyid(c.relowner), c.relreplident = 'f', c.relkind = 'p', published.names,
    exists (select from pg_constraint where confrelid = c.oid and contype = 'f' and conrelid <> c.oid)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
left join counted s on s.oid = c.oid
left join published on published.schemaname = n.nspname and published.tablename = c.relname
where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
order by 1, 2

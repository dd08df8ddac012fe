-- The facts about the objects that gen-ddl creates, one line each, so that the changes of a script can be listed.
-- A percent sign is doubled for the driver.
with ours as (
    select c.oid, c.relkind, c.oid::regclass::text as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = %(schema)s and c.relname = any(%(tables)s)
)
select 'table ' || name from ours
union all
select 'partition ' || i.inhrelid::regclass from pg_inherits i join ours on ours.oid = i.inhparent
    where ours.relkind in ('r', 'p')
union all
select format('column %%s.%%I %%s%%s', name, attname, format_type(atttypid, atttypmod),
              case when attnotnull then ' not null' else '' end)
    from pg_attribute join ours on attrelid = ours.oid where attnum > 0 and not attisdropped
union all
select concat('index ', indexrelid::regclass, ' where ' || pg_get_expr(indpred, indrelid))
    from pg_index join ours on indrelid = ours.oid
union all
select format('trigger %%I on %%s', tgname, tgrelid::regclass) from pg_trigger join pg_proc p on p.oid = tgfoid
    where not tgisinternal and p.pronamespace = to_regnamespace(quote_ident(%(schema)s)) and tgname = %(feed)s
union all
select format('check %%s on %%s: %%s', conname, name, pg_get_constraintdef(pg_constraint.oid, true))
    from pg_constraint join ours on conrelid = ours.oid where contype = 'c'
union all
select format('grant %%s on %%s to %%s', string_agg(lower(privilege_type), ', ' order by privilege_type), name, r.rolname)
    from pg_class c join ours on ours.oid = c.oid, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
    where r.rolname = %(role)s or r.rolname = any(%(writers)s::text[]) group by name, r.rolname
union all
select format('grant %%s (%%I) on %%s to %%s', lower(privilege_type), attname, name, r.rolname)
    from pg_attribute a join ours on attrelid = ours.oid, aclexplode(a.attacl) l join pg_roles r on r.oid = l.grantee
    where r.rolname = %(role)s or r.rolname = any(%(writers)s::text[])
union all
select format('procedure %%s, %%s', p.oid::regprocedure, left(md5(prosrc), 8)) from pg_proc p join pg_namespace n on n.oid = pronamespace
    where nspname = %(schema)s and proname = %(writer)s
union all
select format('grant %%s on procedure %%s to %%s', lower(privilege_type), p.oid::regprocedure,
              coalesce(quote_ident(r.rolname), 'public'))
    from pg_proc p join pg_namespace n on n.oid = pronamespace, aclexplode(p.proacl) a left join pg_roles r on r.oid = a.grantee
    where nspname = %(schema)s and proname = %(writer)s and a.grantee <> p.proowner
union all
select format('role %%s%%s%%s', rolname, case when rolcanlogin then ' login' end,
              case when rolreplication then ' replication' end)
    from pg_roles where rolname = %(role)s
union all
select format('publication %%s of %%s, %%s', pubname,
              (select coalesce(string_agg(prrelid::regclass::text, ', ' order by prrelid::regclass::text), 'nothing')
               from pg_publication_rel where prpubid = p.oid),
              concat_ws(' and ', case when pubinsert then 'inserts' end, case when pubupdate then 'updates' end,
                        case when pubdelete then 'deletes' end, case when pubtruncate then 'truncates' end,
                        case when pubviaroot then 'through the partition root' end))
    from pg_publication p where pubname = %(publication)s
order by 1

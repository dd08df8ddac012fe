-- Temporary tables, external tables and views have no rows in the redo log.
select t.owner, t.table_name, case when t.temporary = 'Y' then 'temporary table' when x.table_name is not null
        then 'external table' else 'table' end,
    coalesce(t.num_rows, 0), case t.partitioned when 'YES' then 1 else 0 end,
    case when exists (
        select 1 from all_constraints f join all_constraints p on p.owner = f.r_owner and p.constraint_name = f.r_constraint_name
        where f.constraint_type = 'R' and p.owner = t.owner and p.table_name = t.table_name and f.table_name <> p.table_name
    ) then 1 else 0 end
from all_tables t join all_users u on u.username = t.owner and u.oracle_maintained = 'N'
left join all_external_tables x on x.owner = t.owner and x.table_name = t.table_name
where t.nested = 'NO' and t.secondary = 'N'
union all
select v.owner, v.view_name, 'view', 0, 0, 0
from all_views v join all_users u on u.username = v.owner and u.oracle_maintained = 'N'
order by 1, 2

import type pg from 'pg';
import { type Finding, ok, wrong } from './findings';

/**
 * What the role of a connection may do. `attributes` lists the attributes that the role has but should not have. `owns`
 * is true if the role may act as the owner of every table. `lacks` is true if there is a table whose rows the role may
 * not read, insert, update, or delete.
 */
type Rights = { role: string; attributes: string[]; owns: boolean; lacks: boolean };

const RIGHTS = `
  WITH tables AS (
    SELECT oid, relowner FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND relname <> '_prisma_migrations'
      AND relowner = (SELECT relowner FROM pg_class WHERE oid = to_regclass('environment')))
  SELECT current_user AS role,
    array_remove(ARRAY[CASE WHEN rolsuper THEN 'a superuser' END,
      CASE WHEN rolcreaterole THEN 'allowed to create roles' END,
      CASE WHEN rolreplication THEN 'allowed to replicate' END,
      CASE WHEN rolbypassrls THEN 'allowed to bypass row security' END], NULL) AS attributes,
    NOT EXISTS (SELECT FROM tables WHERE NOT pg_has_role(relowner, 'USAGE')) AS owns,
    EXISTS (SELECT FROM tables WHERE NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))) AS lacks
  FROM pg_roles WHERE rolname = current_user`;

/**
 * Checks that the role of a connection has the rights that a server needs, and that it has no attribute that a server
 * does not need.
 */
export async function checkRights(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Rights>(RIGHTS);
  return rows.flatMap(({ role, attributes, owns, lacks }) => {
    const fix = `Connect as the role that owns the tables, or make ${role} a member of it.`;
    const findings: Finding[] = [];
    if (attributes.length > 0) {
      const remove = 'NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS';
      const instead = `ALTER ROLE ${role} ${remove}, or use another role as the owner of the database.`;
      findings.push(wrong(`The role ${role} is ${attributes.join(' and ')}, which a server does not need.`, instead));
    }
    if (lacks) findings.push(wrong(`The role ${role} may not read and write all tables.`, fix));
    else if (!owns)
      findings.push(
        wrong(`The role ${role} does not own the tables, so it cannot migrate or prune the request log.`, fix),
      );
    return findings.length > 0 ? findings : [ok(`The role ${role} is no superuser and owns its tables.`)];
  });
}

import type pg from 'pg';
import { mayMigrate, missingGrants } from '../environment/grants';
import { type Finding, ok, warning, wrong } from './findings';

/**
 * The rights of a role that a server does not need. Names are quoted as in SQL. `creates`: where it may create objects.
 * `owns`: it owns an object or may act as the owner. `alters`: it may truncate a table, or create a trigger or a
 * foreign key.
 */
type Rights = {
  name: string;
  role: string;
  schema: string;
  attributes: string[];
  creates: string[];
  owns: boolean;
  alters: boolean;
};

const RIGHTS = `
  SELECT current_user AS name, format('%I', current_user) AS role, format('%I', current_schema()) AS schema,
    array_remove(ARRAY[CASE WHEN rolsuper THEN 'a superuser' END,
      CASE WHEN rolcreaterole THEN 'allowed to create roles' END,
      CASE WHEN rolcreatedb THEN 'allowed to create databases' END,
      CASE WHEN rolreplication THEN 'allowed to replicate' END,
      CASE WHEN rolbypassrls THEN 'allowed to bypass row security' END], NULL) AS attributes,
    array_remove(ARRAY[
      CASE WHEN has_schema_privilege(current_schema(), 'CREATE') THEN format('SCHEMA %I', current_schema()) END,
      CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN format('DATABASE %I', current_database()) END],
      NULL) AS creates,
    EXISTS (SELECT FROM pg_shdepend, pg_database
      WHERE datname = current_database() AND refclassid = 'pg_authid'::regclass AND deptype = 'o'
        AND (dbid = pg_database.oid OR classid = 'pg_database'::regclass AND objid = pg_database.oid)
        AND pg_has_role(refobjid, 'MEMBER')) AS owns,
    EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND has_table_privilege(oid, 'TRUNCATE, REFERENCES, TRIGGER')) AS alters
  FROM pg_roles WHERE rolname = current_user`;

const REMOVE = 'NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS';

/** Checks that the servers' role has the rights that a server needs, and no right to change the schema or the roles. */
export async function checkRights(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Rights>(RIGHTS);
  const findings: Finding[] = [];
  for (const rights of rows) {
    const { name, role, attributes, owns } = rights;
    if (attributes.length > 0)
      findings.push(
        wrong(
          `The role ${role} is ${attributes.join(' and ')}, which a server does not need.`,
          `ALTER ROLE ${role} ${REMOVE}; or use another role for the servers (docs/roles.md).`,
        ),
      );
    if (owns)
      findings.push(
        warning(
          `The role ${role} owns the database or its tables, so servers could change the schema, and row-level security does not apply.`,
          `CREATE ROLE booking_server LOGIN; set DATABASE_URL to a URL of this role and MIGRATION_DATABASE_URL to a URL of ${role}, and run npm run migrate (docs/roles.md).`,
        ),
      );
    // An owner has every right that `checkExcess` looks for, so one finding is enough.
    else findings.push(...checkExcess(rights));
    if ((await missingGrants(client, name)).length > 0)
      findings.push(
        wrong(
          `The role ${role} lacks privileges that a server needs.`,
          'With MIGRATION_DATABASE_URL set, run npm run migrate.',
        ),
      );
  }
  if (findings.length > 0) return findings;
  return rows.map(({ role }) => ok(`The role ${role} of the servers owns nothing and cannot change the schema.`));
}

function checkExcess({ role, schema, creates, alters }: Rights): Finding[] {
  const findings = creates.map((where) =>
    wrong(
      `The role ${role} is allowed to create objects in ${where}.`,
      `REVOKE CREATE ON ${where} FROM PUBLIC, ${role};`,
    ),
  );
  if (alters)
    findings.push(
      wrong(
        `The role ${role} is allowed to truncate tables, or to create triggers or foreign keys.`,
        `REVOKE TRUNCATE, REFERENCES, TRIGGER ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${role};`,
      ),
    );
  return findings;
}

/** Checks that the role in MIGRATION_DATABASE_URL may migrate the database. */
export async function checkMigrator(client: pg.Client): Promise<Finding[]> {
  if (await mayMigrate(client)) return [];
  return [
    wrong(
      'The role in MIGRATION_DATABASE_URL is not allowed to migrate the database.',
      'Set MIGRATION_DATABASE_URL to a URL of the role that owns the database.',
    ),
  ];
}

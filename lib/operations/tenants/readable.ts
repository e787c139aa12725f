import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { open, placeIn } from '@/lib/platform/secrets';
import type { Counts, Table } from '../backup/format';
import { splitLines } from '../backup/lines';
import { readableCountsLine } from './export-format';
import { TENANT_TABLES } from './tables';

/** Only credentials, or responses stored for replays. */
const OMITTED = new Set(['totp_factors', 'passkeys', 'recovery_codes', 'webhook_secrets', 'idempotency_keys']);

/** A readable export contains these decrypted. */
const CONTACT = ['customer_name', 'customer_phone', 'customer_email', 'note', 'metadata'] as const;

const BINARY = `
  SELECT table_name || '.' || column_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND udt_name IN ('bytea', '_bytea')`;

/** Bytes. Each call of the compressor has a fixed cost, several times that of compressing one line. */
const BLOCK = 64 * 1024;

async function* inBlocks(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let block: Buffer[] = [];
  let size = 0;
  for await (const line of lines) {
    block.push(line);
    size += line.length;
    if (size < BLOCK) continue;
    yield Buffer.concat(block);
    block = [];
    size = 0;
  }
  yield Buffer.concat(block);
}

/**
 * Yields a readable export in blocks: one JSON object per row, then the number of rows per table. Hashes and encrypted
 * values are omitted, except for contacts, which are decrypted. `tenant` is SQL for the id.
 */
export function readableRows(
  client: pg.Client,
  tables: Table[],
  tenant: string,
  path: string,
  counts: Counts,
): AsyncGenerator<Buffer> {
  return inBlocks(readableLines(client, tables, tenant, path, counts));
}

async function* readableLines(
  client: pg.Client,
  tables: Table[],
  tenant: string,
  path: string,
  counts: Counts,
): AsyncGenerator<Buffer> {
  const { rows } = await client.query<{ name: string }>(BINARY);
  const hidden = new Set(['users.password_hash', ...rows.map(({ name }) => name)]);
  for (const { name } of CONTACT.map((column) => ({ name: `bookings.${column}` }))) hidden.delete(name);
  for (const { name, columns } of tables) {
    if (OMITTED.has(name)) continue;
    const shown = columns.filter((column) => !hidden.has(`${name}.${column}`)).map((column) => `"${column}"`);
    const where = TENANT_TABLES.get(name)?.(tenant);
    const copy = client.query(
      to(`COPY (SELECT row_to_json(r) FROM (SELECT ${shown.join(', ')} FROM "${name}" WHERE ${where}) r) TO STDOUT`),
    );
    for await (const line of splitLines(copy, path, 'export')) {
      // COPY doubles every backslash. JSON contains no other character that COPY escapes.
      const json = line.toString().replaceAll('\\\\', '\\');
      yield Buffer.from(`{"table":"${name}","row":${name === 'bookings' ? withContact(json) : json}}\n`);
    }
    counts[name] = copy.rowCount;
  }
  yield readableCountsLine(counts);
}

/** Omitted if consent was withdrawn. */
function withContact(json: string): string {
  const row = JSON.parse(json) as { reference: string; consent_withdrawn_at: string | null } & Record<
    (typeof CONTACT)[number] | 'customer_locale',
    string | null
  >;
  // Not encrypted, but a part of the contact.
  if (row.consent_withdrawn_at !== null) row.customer_locale = null;
  for (const column of CONTACT) {
    const sealed = row[column];
    if (sealed !== null && row.consent_withdrawn_at !== null) row[column] = null;
    else if (sealed !== null)
      row[column] = open(Buffer.from(sealed.slice(2), 'hex'), placeIn(`bookings.${column}`, row.reference));
  }
  return JSON.stringify(row);
}

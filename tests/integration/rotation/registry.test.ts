import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { SEALED_TABLES } from '@/lib/platform/secrets';

/**
 * Byte columns that are not encrypted: keyed hashes, hashes of what partners read, and public data of authenticators. A rotation keeps the hashes,
 * except those of contacts.
 */
const NOT_SEALED = [
  'address_links.token_hash',
  'api_keys.key_hash',
  'bookings.name_hashes',
  'bookings.phone_hash',
  'calendar_feeds.token_hash',
  'change_watches.catalog',
  'idempotency_keys.fingerprint',
  'idempotency_keys.key_hash',
  'invitations.mailed_token_hash',
  'invitations.token_hash',
  'passkeys.credential_id',
  'passkeys.public_key',
  'password_links.token_hash',
  'recovery_codes.code_hash',
  'request_log.idempotency_key_hash',
  'setup_link.token_hash',
];

test('every column of bytes is either rotated or listed as not sealed', async () => {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.atttypid IN ('bytea'::regtype, 'bytea[]'::regtype) AND NOT a.attisdropped`,
  );
  const sealed = SEALED_TABLES.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  expect(rows.map(({ name }) => name).sort()).toEqual([...sealed, ...NOT_SEALED].sort());
});

test('the key of every table with sealed columns is its primary key', async () => {
  const { rows } = await pool().query<{ table: string; key: string[] }>(
    `SELECT conrelid::regclass::text AS table, array_agg(attname::text ORDER BY array_position(conkey, attnum)) AS key
     FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
     WHERE contype = 'p' AND connamespace = 'public'::regnamespace GROUP BY conrelid`,
  );
  for (const { table, key } of SEALED_TABLES) expect(rows).toContainEqual({ table, key });
});

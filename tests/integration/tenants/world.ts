import { claimEnvironment } from '@/lib/operations/environment/claim';
import { env } from '@/lib/platform/env';
import { placeIn, seal } from '@/lib/platform/secrets';
import type { OwnDatabase } from '@/tests/support/own-database';
import { id, type Row } from '../database/row';
import { ROWS } from '../database/rows';

/** The tenant that is exported or deleted. It has rows in every table that contains data of tenants. */
export const TENANT = id('ten', 1);
/** A second tenant. Like `TENANT`, it has rows in every table that contains data of tenants. */
export const OTHER = id('ten', 5);
/** A member of both tenants. */
export const SHARED_USER = id('usr', 8);
/** A former member of `TENANT`, who is now not a member of any tenant. */
export const FORMER_USER = id('usr', 9);
/** A former member of both tenants, who is now not a member of any tenant. */
export const FORMER_OF_BOTH = id('usr', 4);

export const CUSTOMER = { name: 'Robin "R" \\ Sample\n', phone: '+49 30 5550 1234' };

export const EMAIL = 'robin@example.com';

export const METADATA = { basket: '4"711', campaign: 'spring' };

export const NOTE = 'Rings "the" bell.\nSide door.';

/** Tables whose rows belong to the whole deployment. `fillTenants` inserts nothing into them for the second tenant. */
const GLOBAL = new Set(['environment', 'tenant_deletions', 'setup_link', 'request_counts_progress', 'rate_limits']);

/** Tables that a trigger fills when events are inserted. */
const TRIGGERED = ['event_counters', 'event_sequences'];

/** Fills a database with two tenants that have rows in every table, and members of both. */
export async function fillTenants({ query, url }: OwnDatabase): Promise<void> {
  await claimEnvironment(url, { environment: env().ENVIRONMENT, secretKey: env().SECRET_KEY });
  const insert = async (table: string, row: Row) => {
    const columns = Object.keys(row);
    const places = columns.map((_, index) => `$${index + 1}`);
    await query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`, Object.values(row));
  };
  for (const [table, row] of ROWS)
    if (!['environment', 'tenant_deletions', ...TRIGGERED].includes(table)) await insert(table, row);
  const name = { name: 'Other', name_skeleton: null };
  for (const [table, row] of ROWS)
    if (!GLOBAL.has(table) && !TRIGGERED.includes(table))
      await insert(table, { ...shifted(row), ...(table === 'tenants' && name) });
  const proof = { password_hash: '$argon2id$v=19$m=1,t=1,p=1$a$b', address_proven_at: '2026-09-14T10:00Z' };
  const account = { name: 'A', ...proof };
  for (const user of [SHARED_USER, FORMER_USER, FORMER_OF_BOTH])
    await insert('users', { id: user, email: `${user}@example.com`, ...account });
  const entry = { at: '2026-09-14T10:00Z', actor_kind: 'system', action: 'member.removed', object_kind: 'user' };
  const entries = [
    [TENANT, FORMER_USER],
    [TENANT, FORMER_OF_BOTH],
    [OTHER, FORMER_OF_BOTH],
  ] as const;
  for (const [index, [tenant_id, object_id]] of entries.entries())
    await insert('audit_log', { id: id('aud', 10 + index), ...entry, tenant_id, object_id });
  for (const tenant_id of [TENANT, OTHER])
    await insert('memberships', { tenant_id, user_id: SHARED_USER, role: 'OWNER' });
  const reference = id('pbr', 1);
  // A booking of the business, with everything that such a booking can have.
  await query(
    `UPDATE bookings SET source = 'business', application_id = NULL, price_amount = 4900, price_currency = 'EUR',
       customer_name = $2, customer_phone = $3, note = $4, phone_hash = $5, name_hashes = $6, customer_email = $7,
       customer_locale = 'de-DE', metadata = $8 WHERE reference = $1`,
    [
      reference,
      seal(CUSTOMER.name, placeIn('bookings.customer_name', reference)),
      seal(CUSTOMER.phone, placeIn('bookings.customer_phone', reference)),
      seal(NOTE, placeIn('bookings.note', reference)),
      Buffer.alloc(16, 0xab),
      [Buffer.alloc(8, 0xcd), Buffer.alloc(8, 0xef)],
      seal(EMAIL, placeIn('bookings.customer_email', reference)),
      seal(JSON.stringify(METADATA), placeIn('bookings.metadata', reference)),
    ],
  );
}

/** Returns a copy of a row for another tenant. The copy has different ids, hashes, and email addresses. */
function shifted(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, shift(value)]));
}

function shift(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return Buffer.from(value.map((byte) => byte + 4));
  if (typeof value !== 'string') return value;
  if (value.endsWith('@example.com')) return `other-${value}`;
  return value.replace(
    /^(\w{3}_0{25}|00000000-0000-4000-8000-0{11})([123])$/,
    (_, start, digit) => start + (Number(digit) + 4),
  );
}

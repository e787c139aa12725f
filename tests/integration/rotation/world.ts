import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect } from 'vitest';
import { hashKey } from '@/lib/access/applications/key-format';
import { findByToken, invite } from '@/lib/access/owners/invitations';
import { takeRecoveryCode } from '@/lib/access/owners/recovery-codes';
import { takeTotpCode } from '@/lib/access/owners/totp';
import { BASE_PATH, createBooking, listCatalog, readBooking } from '@/lib/contract/operations';
import { db, pool } from '@/lib/platform/db';
import { SEALED_TABLES, sealingKey } from '@/lib/platform/secrets';
import { openSecret } from '@/lib/webhooks/secrets';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeBusiness, makeService, offer } from '@/tests/support/factories';
import { setUpTotp, totpCode } from '@/tests/support/second-factor';
import { addEndpoint } from '@/tests/support/webhooks';

/** Returns a secret's key id in hexadecimal. */
export const idOf = (secretKey: string) => sealingKey(secretKey, 'TEST').id.toString('hex');

/** Returns the key ids of the values in each sealed column. */
export async function keyIds(): Promise<Record<string, string[]>> {
  const ids: Record<string, string[]> = {};
  for (const { table, columns } of SEALED_TABLES)
    for (const column of columns) {
      const { rows } = await pool().query<{ id: string }>(
        `SELECT DISTINCT encode(substring(${column} FROM 1 FOR 8), 'hex') AS id FROM ${table} WHERE ${column} IS NOT NULL`,
      );
      ids[`${table}.${column}`] = rows.map(({ id }) => id).sort();
    }
  return ids;
}

/** Ends the database connections of the running rotation. This has the same effect as killing its process. */
export async function killRotation(): Promise<void> {
  await pool().query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = ''`);
}

/** Opens a database connection that `killRotation` does not end. */
export async function otherClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'a test' });
  await client.connect();
  return client;
}

/** Data that depends on SECRET_KEY: an API key, a second factor, the token of a link, and a webhook secret. */
export type World = Awaited<ReturnType<typeof makeWorld>>;

/** Creates the `World` with this process's secret. Call this function before the rotation of that secret. */
export async function makeWorld(now: Date) {
  const business = await makeBusiness();
  // The tests read the catalog with one service per page. A second service adds a second page.
  await offer(business.tenant.id, [business.specialist], [await makeService(business.tenant.id)], [business.location]);
  const [person, protectedPerson] = [await makePerson(business.tenant.id), await makePerson(business.tenant.id)];
  const totp = await setUpTotp(protectedPerson, now);
  const actor = { kind: 'owner', id: person.userId, tenantId: person.tenantId } as const;
  const invitation = { tenantId: person.tenantId, actor, userId: person.userId, role: 'SUPPORT' } as const;
  const { link } = await invite(now, { ...invitation, email: 'guest@salon.example' });
  const webhook = await addEndpoint(business.tenant.id, business.applicationId, 'http://127.0.0.1:4321/');
  return { business, person, protectedPerson, totp, token: link.split('/').at(-1) ?? '', webhook };
}

/** Returns functions that call a server as a partner or as a member. */
export function usersOf(origin: string, { business, person }: World) {
  const client = createClient({ origin, key: business.key });
  const place = { service_id: business.service.id, location_id: business.location.id };
  let day = 7;
  const create = (key: string = randomUUID(), date = dayAhead()) => {
    const options = { note: 'Rings the bell.', metadata: { basket: '4711' } };
    const customer = { ...CUSTOMER, email: 'robin@example.com' };
    const body = { ...place, date, start_time: '10:00', external_reference: 'order', customer, ...options };
    return post(client, BOOKINGS, createBooking, body, { key });
  };
  return {
    /** Creates a booking on an empty day. Returns the booking and the data to repeat the request. */
    book: async () => {
      day += 1;
      const [key, date] = [randomUUID(), dayAhead(day)];
      const reply = await create(key, date);
      expect(reply.status).toBe(201);
      return { key, date, reference: reply.data.booking.reference, data: reply.data };
    },
    repeat: ({ key, date }: { key: string; date: string }) => create(key, date),
    read: (reference: string) => client(`${BOOKINGS}/${reference}`, { operation: readBooking }),
    page: (cursor?: string) =>
      client(`${BASE_PATH}${listCatalog.path}?limit=1${cursor ? `&cursor=${cursor}` : ''}`, { operation: listCatalog }),
    signIn: () => signInOverHttp(origin, person.email, person.password),
    me: async (cookie: string | null) => (await callProcedure('session.me', { origin, cookie, type: 'query' })).status,
  };
}

/**
 * Asserts that this process recognizes and decrypts everything in the `World`. Uses up one TOTP code and one recovery
 * code.
 */
export async function expectUsable(
  { business, protectedPerson, totp, token, webhook }: World,
  at: Date,
): Promise<void> {
  const keys = await db().apiKey.count({ where: { keyHash: new Uint8Array(hashKey(business.key)) } });
  expect(keys).toBe(1);
  const { applicationId, number, sealed } = await db().webhookSecret.findFirstOrThrow();
  expect(openSecret(applicationId, number, sealed)).toBe(webhook.secret);
  expect(await takeTotpCode(protectedPerson.userId, totpCode(totp.secret, at), at)).toBe(true);
  expect(await takeRecoveryCode(protectedPerson.userId, totp.codes.pop() ?? '', at)).toBe(true);
  expect(await findByToken(token, at)).not.toBeNull();
}

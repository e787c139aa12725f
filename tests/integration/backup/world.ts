import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { cancelBooking, createBooking, listAvailability, listCatalog, readBooking } from '@/lib/contract/operations';
import { loadBackup, verifyBackup } from '@/lib/operations/backup/load';
import type { EnvironmentClaim } from '@/lib/operations/environment/claim';
import { AVAILABILITY, actionPath, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, postAsPage, signInOverHttp } from '@/tests/support/control-center';
import { asDatabaseOwner } from '@/tests/support/database';
import { freshDataDir } from '@/tests/support/launcher';
import { CATALOG, withQuery } from '@/tests/support/paths';
import type { Receiver } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';

type Application = { id: string; api_key: string };
const KEY = 'order-4711-create';

type SignIn = { email: string; password: string };

/** The contents of `credentials.json`, plus the server's origin. */
export type Credentials = { origin: string; owner: SignIn; applications: [Application, ...Application[]] };

/** Reads the owner's password and the API keys from the data directory of a sandbox that has started. */
export async function readCredentials(dataDir: string): Promise<Credentials> {
  const { base_url, ...rest } = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
  return { ...rest, origin: new URL(base_url).origin };
}

/** Returns the SECRET_KEY that the first start saved in the data directory. */
export async function secretKeyOf(dataDir: string): Promise<string> {
  return JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')).secret_key;
}

/** Copies secrets and credentials to a new data directory. Returns its path. */
export async function copiedDataDir(dataDir: string): Promise<string> {
  const copy = await freshDataDir();
  await mkdir(copy);
  for (const name of ['secrets.json', 'credentials.json']) await copyFile(join(dataDir, name), join(copy, name));
  return copy;
}

/** Returns the claim of a TEST environment with the SECRET_KEY of the data directory. */
export async function claimIn(dataDir: string): Promise<EnvironmentClaim> {
  return { environment: 'TEST', secretKey: await secretKeyOf(dataDir) };
}

/**
 * Restores a backup as the `restore` command does, but in this process, which is seconds faster. Returns the error, or
 * null if the restore succeeded.
 */
export async function restoreInProcess(path: string, databaseUrl: string, claim: EnvironmentClaim): Promise<unknown> {
  try {
    await verifyBackup(path, claim);
    await loadBackup(asDatabaseOwner(databaseUrl), path, claim, new AbortController().signal);
    return null;
  } catch (error) {
    return error;
  }
}

/** Returns a client with the key of the application that has every scope. */
export function connectPartner({ origin, applications: [{ api_key: key }] }: Credentials) {
  const client = createClient({ origin, key });
  return {
    catalog: (cursor?: string) =>
      client(withQuery(CATALOG, { limit: 3, ...(cursor ? { cursor } : {}) }), { operation: listCatalog }),
    slots: (service_id: string, location_id: string) =>
      client(withQuery(AVAILABILITY, { service_id, location_id, date: dayAhead(7), date_to: dayAhead(14) }), {
        operation: listAvailability,
      }),
    create: (body: unknown, key: string = randomUUID()) => post(client, BOOKINGS, createBooking, body, { key }),
    read: (reference: string) => client(`${BOOKINGS}/${reference}`, { operation: readBooking }),
    cancel: (reference: string) =>
      post(client, actionPath(reference, 'cancel'), cancelBooking, { expected_version: 1 }),
  };
}

/** Returns request bodies for bookings that start at different times but can overlap. */
export async function bookableBodies(credentials: Credentials): Promise<object[]> {
  const partner = connectPartner(credentials);
  const { services } = (await partner.catalog()).data;
  for (const { id: service_id, location_ids } of services) {
    for (const location_id of location_ids) {
      const { slots } = (await partner.slots(service_id, location_id)).data;
      if (slots.length < 20) continue;
      const rest = { service_id, location_id, external_reference: 'order-4711', customer: CUSTOMER };
      return slots.map(({ date, start_time }) => ({ ...rest, date, start_time }));
    }
  }
  throw new Error('No service of the sandbox has enough slots.');
}

/**
 * Creates bookings one after another in the background. Returns a function that stops this loop and resolves with the
 * references of the created bookings.
 */
export function keepBooking(partner: ReturnType<typeof connectPartner>, bodies: object[]) {
  let stopped = false;
  const references: string[] = [];
  const done = (async () => {
    for (const body of bodies) {
      if (stopped) break;
      const { status, data } = await partner.create(body);
      // An earlier booking may have taken the slot.
      expect([201, 409]).toContain(status);
      if (status === 201) references.push(data.booking.reference);
    }
    return references;
  })();
  return () => {
    stopped = true;
    return done;
  };
}

/** Calls a procedure with the owner's session and asserts that the call succeeds. */
async function asOwner(
  credentials: Credentials,
  cookie: string | null,
  path: string,
  type: 'query' | 'mutation',
  input = {},
) {
  const reply = await callProcedure(path, { origin: credentials.origin, cookie, type, input });
  expect(reply).toMatchObject({ status: 200 });
  return reply.data;
}

/**
 * The data that was created on the first server, and that server's responses. The restored server must return the same
 * responses.
 */
export type World = Awaited<ReturnType<typeof makeWorld>>;

/**
 * Creates an endpoint, an invitation, and a booking. Returns their data, and responses that a restored server must
 * repeat.
 */
export async function makeWorld(credentials: Credentials, receiver: Receiver) {
  const partner = connectPartner(credentials);
  const [first = {}, ...bodies] = await bookableBodies(credentials);
  const { email, password } = credentials.owner;
  const cookie = await signInOverHttp(credentials.origin, email, password);
  const endpoint = {
    application_id: credentials.applications[0].id,
    url: receiver.url,
    event_types: ['booking.cancelled'],
  };
  const { secret } = (await asOwner(credentials, cookie, 'webhooks.create', 'mutation', endpoint)) as {
    secret: string;
  };
  const invited = { email: 'invited@salon.example', role: 'SUPPORT' };
  const { link } = (await asOwner(credentials, cookie, 'team.invite', 'mutation', invited)) as { link: string };
  const created = await partner.create(first, KEY);
  expect(created.status, created.text).toBe(201);
  // This write is refused, so that the backup also contains the log entry of a refused write.
  expect((await partner.create({ ...first, start_time: '03:33' })).status).toBe(409);
  const page = await partner.catalog();
  return {
    receiver,
    bodies,
    first,
    cookie,
    secret,
    link,
    created,
    reference: created.data.booking.reference,
    read: (await partner.read(created.data.booking.reference)).data,
    page: page.data,
    next: (await partner.catalog(page.data.next_cursor ?? '')).data,
    audit: await asOwner(credentials, cookie, 'audit.list', 'query'),
  };
}

/** Asserts that a server returns the recorded responses. */
export async function expectSameResponses(credentials: Credentials, world: World): Promise<void> {
  const partner = connectPartner(credentials);
  expect((await partner.catalog()).data).toEqual(world.page);
  expect((await partner.catalog(world.page.next_cursor ?? '')).data).toEqual(world.next);
  expect((await partner.read(world.reference)).data).toEqual(world.read);
  const replayed = await partner.create(world.first, KEY);
  expect(replayed.text.replace(replayed.requestId, '*')).toBe(world.created.text.replace(world.created.requestId, '*'));
  expect(replayed.headers).toMatchObject({
    'idempotent-replayed': 'true',
    'x-original-request-id': world.created.requestId,
  });
}

/** Asserts that the session, the password, and the invitation link still work. */
export async function expectSameSignIns(credentials: Credentials, world: World): Promise<void> {
  expect(await asOwner(credentials, world.cookie, 'audit.list', 'query')).toEqual(world.audit);
  const cookie = await signInOverHttp(credentials.origin, credentials.owner.email, credentials.owner.password);
  expect(await asOwner(credentials, cookie, 'session.me', 'query')).toMatchObject({ email: credentials.owner.email });
  const token = new URL(world.link).pathname.split('/').at(-1);
  const accepting = { token, name: 'Ira Invited', password: 'the password of the invited member' };
  expect(await postAsPage(credentials.origin, '/api/invite', accepting)).toMatchObject({ status: 200 });
}

/** Cancels the booking, and asserts that the partner's endpoint gets a webhook signed with the original secret. */
export async function expectSameSignature(credentials: Credentials, world: World): Promise<void> {
  const { received } = world.receiver;
  const before = received.length;
  expect((await connectPartner(credentials).cancel(world.reference)).status).toBe(200);
  await until(
    async () => received.length,
    (count) => count > before,
  );
  const { body, headers } = received.at(-1) ?? { body: '', headers: {} };
  expect(new Webhook(world.secret).verify(body, headers)).toMatchObject({ type: 'booking.cancelled' });
}

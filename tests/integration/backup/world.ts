import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { cancelBooking, createBooking, listAvailability, listCatalog, readBooking } from '@/lib/contract/operations';
import { AVAILABILITY, actionPath, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, signInOverHttp } from '@/tests/support/control-center';
import { CATALOG, withQuery } from '@/tests/support/paths';
import type { Receiver } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';

type Application = { id: string; api_key: string };
const KEY = 'order-4711-create';

type SignIn = { email: string; password: string };

/** The content of `credentials.json`. */
export type Given = { base_url: string; owner: SignIn; applications: [Application, ...Application[]] };

/** Returns the sign-ins and keys of a started sandbox. */
export async function givenBy(dataDir: string): Promise<Given> {
  return JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
}

/** Returns a client of the application with all scopes. */
export function partnerAt({ base_url: origin, applications: [{ api_key: key }] }: Given) {
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

/** Returns booking bodies for slots that are available now; slots may overlap. */
export async function bookable(given: Given): Promise<object[]> {
  const partner = partnerAt(given);
  const { services } = (await partner.catalog()).data;
  for (const { id: service_id, location_ids } of services) {
    for (const location_id of location_ids) {
      const { slots } = (await partner.slots(service_id, location_id)).data;
      if (slots.length < 20) continue;
      const rest = { service_id, location_id, external_reference: 'order-4711', customer: CUSTOMER };
      return slots.map(({ date, start_time }) => ({ ...rest, date, start_time }));
    }
  }
  throw new Error('The sandbox has nothing that could be booked.');
}

/** Calls a procedure with a session; it must succeed. */
export async function asOwner(
  given: Given,
  cookie: string | null,
  path: string,
  type: 'query' | 'mutation',
  input = {},
) {
  const reply = await callProcedure(path, { origin: given.base_url, cookie, type, input });
  expect(reply).toMatchObject({ status: 200 });
  return reply.data;
}

/** The data that partners and owners must find again on the restored server. */
export type World = Awaited<ReturnType<typeof makeWorld>>;

/** Makes bookings, an endpoint with a secret, and an invitation, and records the responses. */
export async function makeWorld(given: Given, receiver: Receiver) {
  const partner = partnerAt(given);
  const [first = {}, ...bodies] = await bookable(given);
  const { email, password } = given.owner;
  const cookie = await signInOverHttp(given.base_url, email, password);
  const endpoint = { application_id: given.applications[0].id, url: receiver.url, event_types: ['booking.cancelled'] };
  const { secret } = (await asOwner(given, cookie, 'webhooks.create', 'mutation', endpoint)) as { secret: string };
  const invited = { email: 'invited@salon.example', role: 'SUPPORT' };
  const { link } = (await asOwner(given, cookie, 'team.invite', 'mutation', invited)) as { link: string };
  const created = await partner.create(first, KEY);
  expect(created.status, created.text).toBe(201);
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
    audit: await asOwner(given, cookie, 'audit.list', 'query'),
  };
}

/** Asserts that a server gives the responses that the original server gave. */
export async function expectSame(given: Given, world: World): Promise<void> {
  const partner = partnerAt(given);
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

/** Asserts that sessions, passwords, and the invitation link still work. */
export async function expectSamePeople(given: Given, world: World): Promise<void> {
  expect(await asOwner(given, world.cookie, 'audit.list', 'query')).toEqual(world.audit);
  const cookie = await signInOverHttp(given.base_url, given.owner.email, given.owner.password);
  expect(await asOwner(given, cookie, 'session.me', 'query')).toMatchObject({ email: given.owner.email });
  const token = new URL(world.link).pathname.split('/').at(-1);
  const accepted = await fetch(`${given.base_url}/api/invite`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-booking': 'control-center' },
    body: JSON.stringify({ token, name: 'Ira Invited', password: 'a password of somebody invited' }),
  });
  expect(accepted.status).toBe(200);
}

/** Asserts that a cancellation reaches the partner's endpoint, signed with the original secret. */
export async function expectSameSignature(given: Given, world: World): Promise<void> {
  const { received } = world.receiver;
  const before = received.length;
  expect((await partnerAt(given).cancel(world.reference)).status).toBe(200);
  await until(
    async () => received.length,
    (count) => count > before,
  );
  const { body, headers } = received.at(-1) ?? { body: '', headers: {} };
  expect(new Webhook(world.secret).verify(body, headers)).toMatchObject({ type: 'booking.cancelled' });
}

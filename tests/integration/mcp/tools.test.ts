import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updatePolicy } from '@/lib/access/applications/applications';
import { SCOPES } from '@/lib/contract/common';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { CUSTOMER, dayAhead } from '@/tests/support/bookings';
import { catalogChanged, makeBusiness, makeService, makeSpecialist, offer } from '@/tests/support/factories';
import { until } from '@/tests/support/until';
import {
  type Answer,
  connect,
  environmentOf,
  publishedServer,
  startHttp,
  startPublished,
  TOKEN,
  type Way,
} from './agent';

let server: Awaited<ReturnType<typeof publishedServer>>;
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  server = await publishedServer();
});

afterAll(async () => {
  for (const stop of stops) await stop();
  await server.remove();
});

/** A business with one specialist, and a connected agent of its partner. */
async function makeAgent(way: Way, confirm: 'required' | 'off', answer: Answer = 'accept', agentsAsk = false) {
  const business = await makeBusiness({ agentsAsk });
  const env = environmentOf(business.key, { CONFIRM: confirm });
  const { url, stop } = way.startsWith('http') ? await startHttp(env) : { url: '', stop: () => {} };
  const target = { file: server.file, url, env };
  const agent = await connect(way, target, answer);
  stops.push(agent.close, stop);
  const again = () => connect(way, target, answer);
  const date = dayAhead();
  const slots = await agent.call('list_availability', { service_id: business.service.id, date });
  const [slot, other] = slots.data.slots;
  if (!slot || !other) throw new Error('No slots.');
  const body = { service_id: business.service.id, date, start_time: slot.start_time, customer: CUSTOMER };
  const count = () => db().booking.count({ where: { tenantId: business.tenant.id } });
  return { ...business, agent, again, body, slot, other, count };
}

/** Each transport, and both protocols. `stdio, old` is that of the test with a restart. */
const WAYS: Way[] = ['stdio, new', 'http, old', 'http, new'];

test.each(WAYS)(
  '%s: an agent finds a service, books once, finds, moves, and cancels, each after a person',
  async (way) => {
    const { agent, service, specialist, body, other, count } = await makeAgent(way, 'required');
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_services',
      'list_availability',
      'explain_availability',
      'create_booking',
      'find_bookings',
      'change_booking',
    ]);
    expect(agent.client.getInstructions()).toContain('Never invent ids');
    const { data: catalog } = await agent.call('list_services');
    expect(catalog.services).toMatchObject([{ id: service.id }]);
    const { data: people } = await agent.call('list_services', { service_id: service.id });
    expect(people.specialists).toMatchObject([{ id: specialist.id }]);
    const closed = { service_id: service.id, date: dayAhead(-1) };
    const nothing = await agent.call('list_availability', closed);
    expect(nothing.data).toMatchObject({ slots: [], advice: expect.stringContaining('explain_availability') });
    const { data: explained } = await agent.call('explain_availability', closed);
    expect(new Set(explained.starts.map(({ reason }) => reason))).toEqual(new Set(['lead_time']));
    const dry = await agent.call('create_booking', { ...body, dry_run: true });
    expect(dry).toMatchObject({ isError: false, data: { dry_run: true, status: 201, slot: { date: body.date } } });
    expect([agent.asked, await count()]).toEqual([[], 0]);
    const made = await agent.call('create_booking', body);
    expect(made).toMatchObject({ isError: false, data: { booking: { status: 'confirmed', version: 1 } } });
    const [question] = agent.asked;
    const names = [catalog.services[0]?.name, catalog.locations[0]?.name];
    for (const part of [body.date, body.start_time, CUSTOMER.name, ...names]) expect(question).toContain(part);
    const { reference, external_reference } = made.data.booking;
    expect((await agent.call('find_bookings', { reference })).data.booking).toEqual(made.data.booking);
    expect((await agent.call('find_bookings', { external_reference })).data.bookings).toHaveLength(1);
    const to = { date: other.date, start_time: other.start_time };
    const move = { reference, action: 'reschedule', expected_version: 1, ...to };
    expect((await agent.call('change_booking', { ...move, dry_run: true })).data).toMatchObject({
      status: 200,
      slot: to,
    });
    expect((await agent.call('change_booking', move)).data.booking).toMatchObject({ version: 2, ...to });
    const cancel = { reference, action: 'cancel', expected_version: 2 };
    expect((await agent.call('change_booking', cancel)).data.booking).toMatchObject({
      status: 'cancelled',
      version: 3,
    });
    expect(agent.asked).toHaveLength(3);
    expect(await count()).toBe(1);
  },
);

test('the same call in the same conversation writes once, also in other spellings and at once', async () => {
  const { agent, again, body, count } = await makeAgent('http, old', 'off');
  const { data } = await agent.call('create_booking', body);
  const spelled = { ...body, customer: { ...CUSTOMER, phone: '+493055501234' }, specialist_id: null };
  const repeats = await Promise.all(
    [body, spelled, { ...body, attempt: 1 }].map((args) => agent.call('create_booking', args)),
  );
  for (const repeat of repeats) expect(repeat.data).toEqual({ booking: data.booking, repeated: true });
  const { reference } = data.booking;
  await agent.call('change_booking', { reference, action: 'cancel', expected_version: 1 });
  // A replay of the stored response would show a confirmed booking.
  const after = await agent.call('create_booking', body);
  expect(after.data).toMatchObject({ repeated: true, booking: { reference, status: 'cancelled' } });
  expect(await count()).toBe(1);
  const wanted = await agent.call('create_booking', { ...body, attempt: 2 });
  expect(wanted.data.booking).toMatchObject({ status: 'confirmed' });
  expect(await count()).toBe(2);
  // Another conversation is another write, which the taken seat refuses.
  const other = await again();
  expect(await other.call('create_booking', body)).toMatchObject({
    isError: true,
    data: { error: { status: 409, code: 'booking_unavailable', reason: 'slot_taken' } },
  });
  await other.close();
});

test('without sessions, conversation_id tells conversations apart, and survives a restart of the process', async () => {
  const { agent, again, body, count } = await makeAgent('stdio, old', 'off');
  const mine = { ...body, conversation_id: 'chat-1' };
  const { data } = await agent.call('create_booking', mine);
  await agent.close();
  const restarted = await again();
  stops.push(restarted.close);
  expect((await restarted.call('create_booking', mine)).data).toEqual({ booking: data.booking, repeated: true });
  const foreign = await restarted.call('create_booking', { ...body, conversation_id: 'chat-2' });
  expect(foreign.data.error).toMatchObject({ reason: 'slot_taken' });
  expect(await count()).toBe(1);
});

test.each([
  ['http, old', 'cancel'],
  ['http, new', 'decline'],
] as [Way, Answer][])('%s: after %s, nothing is written', async (way, answer) => {
  const { agent, body, count } = await makeAgent(way, 'required', answer);
  const customer = { ...CUSTOMER, email: 'robin@example.com' };
  const made = await agent.call('create_booking', { ...body, customer, note: 'Line 1\nLine 2', metadata: { a: 'b' } });
  expect(made).toMatchObject({ isError: true, text: expect.stringContaining('A person declined.') });
  // The person has seen everything that would have been sent.
  expect(agent.asked[0]).toContain(
    ' Also sent: {"email":"robin@example.com","note":"Line 1\\nLine 2","metadata":{"a":"b"}}',
  );
  expect(await count()).toBe(0);
});

test.each(['http, old', 'http, new'] as Way[])(
  '%s: without forms, only the code that a person repeats confirms exactly this write',
  async (way) => {
    const { agent, body, other, count } = await makeAgent(way, 'required', 'no answer possible');
    const asked = await agent.call('create_booking', body);
    expect(asked).toMatchObject({ isError: false, data: { advice: expect.stringContaining('Nothing was written.') } });
    const { question, code } = asked.data.confirmation_required;
    for (const part of [body.date, body.start_time, CUSTOMER.name]) expect(question).toContain(part);
    expect(code).toMatch(/^\d{6}$/);
    const attempts = [
      { ...body, confirmation_code: code === '000000' ? '000001' : '000000' },
      { ...body, confirmation_code: '' },
      { ...body, start_time: other.start_time, confirmation_code: code },
      { ...body, attempt: 2, confirmation_code: code },
    ];
    for (const args of attempts)
      expect((await agent.call('create_booking', args)).data).toHaveProperty('confirmation_required');
    expect((await agent.call('create_booking', { ...body, dry_run: true })).data.status).toBe(201);
    expect(await count()).toBe(0);
    const made = await agent.call('create_booking', { ...body, confirmation_code: code });
    expect(made.data.booking).toMatchObject({ status: 'confirmed' });
    const { reference } = made.data.booking;
    const cancel = { reference, action: 'cancel', expected_version: 1, confirmation_code: code };
    expect((await agent.call('change_booking', cancel)).data.confirmation_required.question).toContain('Cancel');
    expect(await count()).toBe(1);
  },
);

test('a person is asked if the business requires it, also with CONFIRM=off', async () => {
  const { agent, tenant, applicationId, body, other, count } = await makeAgent('http, old', 'off', 'accept', true);
  expect((await agent.call('create_booking', body)).data.booking.status).toBe('confirmed');
  expect(agent.asked).toHaveLength(1);
  const target = { tenantId: tenant.id, applicationId, expectedVersion: 1, actor: { kind: 'system' } as const };
  const lists = { scopes: SCOPES, locationIds: [], origins: [], networks: [] };
  const policy = { name: 'Partner', allLocations: true, quota: 600, agentsAsk: false, ...lists };
  await updatePolicy(new Date(), target, policy);
  await agent.call('create_booking', { ...body, start_time: other.start_time });
  expect([agent.asked.length, await count()]).toEqual([1, 2]);
  await db().apiKey.updateMany({ where: { applicationId }, data: { revokedAt: new Date() } });
  await markChanged(db(), 'policy', applicationId);
  // Without an answer about the switch, nothing is written.
  const refused = await until(
    () => agent.call('create_booking', { ...body, attempt: 2 }),
    ({ data }) => data.error?.status === 401,
  );
  expect(refused.isError).toBe(true);
  expect(await count()).toBe(2);
});

test('a dry run and the write are refused alike, in the words of the API', async () => {
  const { agent, tenant, location, service, specialist, body, other, count } = await makeAgent('http, new', 'off');
  const refusal = async (tool: string, args: object) => {
    const [dry, real] = [await agent.call(tool, { ...args, dry_run: true }), await agent.call(tool, args)];
    expect([dry.isError, real.isError]).toEqual([true, true]);
    expect({ ...dry.data.error, request_id: null }).toEqual({ ...real.data.error, request_id: null });
    return real.data.error;
  };
  const unknown = 'svc_00000000000000000000000000';
  expect(await refusal('create_booking', { ...body, service_id: unknown })).toMatchObject({ code: 'not_found' });
  const refusedStarts = [
    ['off_grid', { start_time: '03:07' }],
    ['outside_schedule', { start_time: '03:00' }],
    ['lead_time', { date: dayAhead(-1) }],
    ['lead_time', { date: dayAhead(-1), start_time: '03:07' }],
    ['max_advance', { date: dayAhead(700), start_time: '03:07' }],
  ] as const;
  for (const [reason, args] of refusedStarts)
    expect(await refusal('create_booking', { ...body, ...args })).toMatchObject({ status: 409, reason });
  const [hiddenService, hiddenSpecialist] = await Promise.all([
    makeService(tenant.id, { published: false }),
    makeSpecialist(tenant.id, { published: false }),
  ]);
  await offer(tenant.id, [specialist, hiddenSpecialist], [service, hiddenService], [location]);
  await catalogChanged(tenant.id);
  for (const [reason, args] of [
    ['service_unpublished', { service_id: hiddenService.id, start_time: '03:07' }],
    ['specialist_unavailable', { specialist_id: hiddenSpecialist.id }],
  ] as const)
    expect(await refusal('create_booking', { ...body, ...args })).toMatchObject({ status: 409, reason });
  const wrong = await refusal('create_booking', {
    ...body,
    start_time: '9:30',
    customer: { ...CUSTOMER, phone: '030 5550' },
    x: 1,
  });
  expect(wrong).toMatchObject({ code: 'invalid_request', status: 400 });
  expect(JSON.stringify(wrong)).not.toContain('5550');
  expect(wrong.fields.map(({ path }: { path: string }) => path).sort()).toEqual(['customer.phone', 'start_time', 'x']);
  expect(await refusal('create_booking', { ...body, attempt: 0 })).toMatchObject({ fields: [{ path: 'attempt' }] });
  expect(await count()).toBe(0);
  const { data } = await agent.call('create_booking', body);
  const { reference } = data.booking;
  const taken = await refusal('create_booking', { ...body, attempt: 2 });
  expect(taken).toMatchObject({ reason: 'slot_taken', advice: expect.stringContaining('current availability') });
  const cancel = { reference, action: 'cancel', expected_version: 7 };
  expect(await refusal('change_booking', cancel)).toMatchObject({ code: 'booking_version_conflict' });
  const move = { reference, action: 'reschedule', expected_version: 1, date: body.date, start_time: '03:07' };
  expect(await refusal('change_booking', move)).toMatchObject({ reason: 'off_grid' });
  const same = { ...move, start_time: body.start_time };
  expect(await refusal('change_booking', same)).toMatchObject({ reason: 'same_slot' });
  expect(await refusal('change_booking', { ...move, action: 'delete' })).toMatchObject({
    fields: [{ path: 'action' }],
  });
  await agent.call('change_booking', { ...cancel, expected_version: 1 });
  const late = { reference, action: 'reschedule', expected_version: 2, date: other.date, start_time: other.start_time };
  expect(await refusal('change_booking', late)).toMatchObject({ reason: 'booking_not_active' });
  const nothing = await agent.call('find_bookings', { reference: 'pbr_00000000000000000000000000' });
  expect(nothing.data.error).toMatchObject({ status: 404, request_id: expect.stringMatching(/^req_/) });
});

test('over HTTP, only programs of this computer that know the token reach the tools', async () => {
  const { key } = await makeBusiness();
  const { url, stop } = await startPublished(server.file, environmentOf(key));
  stops.push(stop);
  const send = (headers: Record<string, string>, path = '') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    }).then(({ status }) => status);
  const authorization = `Bearer ${TOKEN}`;
  expect(await send({})).toBe(401);
  expect(await send({ authorization: `${authorization}x` })).toBe(401);
  expect(await send({ authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await send({ authorization, 'mcp-session-id': randomUUID() })).toBe(404);
  expect(await send({ authorization }, '/other')).toBe(404);
  const huge = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: ' '.repeat(1_000_000),
  }).catch(() => null);
  expect([413, undefined]).toContain(huge?.status);
});

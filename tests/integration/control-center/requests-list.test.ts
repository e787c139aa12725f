import { expect, test } from 'vitest';
import { issueKey } from '@/lib/access/applications/keys';
import { newBookingReference } from '@/lib/platform/ids';
import { makeApplication } from '@/tests/support/factories';
import { ago } from '@/tests/support/request-lines';
import { type Ask, makeLog } from './requests-lines';

type Page = {
  rows: { request_id: string; at: string; application: { name: string } | null; key: { last_four: string } | null }[];
  previous: string | null;
  next: string | null;
};

const list = async (ask: Ask, input: unknown = {}) => (await ask('requests.list', input)).data as Page;
const idsOf = (page: Page) => page.rows.map((row) => row.request_id);

test('returns the entries of the last 24 hours, newest first, with application and key', async () => {
  const { ask, write, key } = await makeLog();
  const [old, older, newest] = await write({ at: ago(90) }, { at: ago(23 * 3600) }, { at: ago(5) });
  await write({ at: ago(25 * 3600) });
  const page = await list(ask);
  expect(idsOf(page)).toEqual([newest, old, older].map((line) => line?.request_id));
  expect(page.rows[0]).toMatchObject({ application: { name: 'Acme' }, key: { last_four: key.slice(-4) } });
  expect([page.previous, page.next]).toEqual([null, null]);
});

test('pages forward and back without gaps, even within one millisecond', async () => {
  const { ask, write } = await makeLog();
  const same = ago(600);
  const lines = await write(...Array.from({ length: 120 }, (_, n) => ({ at: n < 60 ? same : ago(n) })));
  const expected = [...lines]
    .sort((a, b) => (a.at === b.at ? (a.request_id < b.request_id ? 1 : -1) : a.at < b.at ? 1 : -1))
    .map((line) => line.request_id);
  const first = await list(ask);
  const second = await list(ask, { cursor: first.next });
  const third = await list(ask, { cursor: second.next });
  expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(expected);
  expect(third.next).toBeNull();
  const back = await list(ask, { cursor: third.previous, back: true });
  expect(idsOf(back)).toEqual(idsOf(second));
  const start = await list(ask, { cursor: back.previous, back: true });
  expect([idsOf(start), start.previous]).toEqual([idsOf(first), null]);
  expect(idsOf(await list(ask, { order: 'oldest' }))).toEqual([...expected].reverse().slice(0, 50));
});

test('rejects a malformed cursor', async () => {
  const { ask } = await makeLog();
  for (const cursor of ['x', '2026-01-01T00:00:00.000Z_req_1', `2026-99-01T00:00:00.000Z_req_${'0'.repeat(26)}`]) {
    const { error } = await ask('requests.list', { cursor });
    expect(error).toMatchObject({ code: 'invalid_request', reason: 'cursor_mismatch' });
  }
});

test('applies filters alone and combined, and lists the available choices', async () => {
  const { ask, write, tenant, applicationId } = await makeLog();
  const other = await makeApplication(tenant.id, { name: 'Bolt' });
  const second = await issueKey(new Date(), {
    tenantId: tenant.id,
    applicationId,
    name: 'Second',
    expiresAt: null,
    actor: { kind: 'system' },
  });
  const [ok, bad, failed, foreign, keyed, write201] = await write(
    { at: ago(6) },
    { at: ago(5), status: 400, code: 'invalid_request' },
    { at: ago(4), status: 503, code: 'service_unavailable' },
    { at: ago(3), status: 400, code: 'invalid_request', application_id: other.applicationId, key_id: other.keyId },
    { at: ago(2), key_id: second.record.id },
    { at: ago(1), status: 201, method: 'POST', route: '/api/partner/v1/bookings' },
  );
  const found = async (input: unknown) => idsOf(await list(ask, input)).reverse();
  const ids = (...lines: (typeof ok)[]) => lines.map((line) => line?.request_id);
  expect(await found({ status: '4xx' })).toEqual(ids(bad, foreign));
  expect(await found({ status: '5xx' })).toEqual(ids(failed));
  expect(await found({ status: 'error' })).toEqual(ids(bad, failed, foreign));
  expect(await found({ status: '2xx' })).toEqual(ids(ok, keyed, write201));
  expect(await found({ status: '503' })).toEqual(ids(failed));
  expect(await found({ code: 'invalid_request' })).toEqual(ids(bad, foreign));
  expect(await found({ route: '/api/partner/v1/bookings' })).toEqual(ids(write201));
  expect(await found({ application_id: other.applicationId })).toEqual(ids(foreign));
  expect(await found({ key_id: second.record.id })).toEqual(ids(keyed));
  expect(await found({ application_id: applicationId, status: '4xx', code: 'invalid_request' })).toEqual(ids(bad));
  expect(await found({ code: 'no_such_code' })).toEqual([]);
  const choices = (await ask('requests.choices')).data as { applications: { name: string; keys: unknown[] }[] };
  expect(choices.applications.map(({ name, keys }) => [name, keys.length])).toEqual([
    ['Acme', 2],
    ['Bolt', 1],
  ]);
});

test('finds requests by exact booking reference or external reference', async () => {
  const { ask, write } = await makeLog();
  const reference = newBookingReference();
  const [created] = await write(
    { status: 201, booking_reference: reference, external_reference: 'order-1' },
    { external_reference: 'order-10' },
  );
  for (const pasted of [reference, 'order-1', '  order-1 ', 'ORDER-1']) {
    expect(idsOf(await list(ask, { reference: pasted, period: '30d' }))).toEqual([created?.request_id]);
  }
  expect(idsOf(await list(ask, { reference: 'order', period: '30d' }))).toEqual([]);
});

test('includes both ends of a custom period', async () => {
  const { ask, write } = await makeLog();
  const [from, middle, to] = [ago(3000), ago(2000), ago(1000)];
  const lines = await write({ at: from }, { at: middle }, { at: to });
  await write({ at: ago(3001) }, { at: ago(999) });
  const page = await list(ask, { period: { from, to } });
  expect(idsOf(page).reverse()).toEqual(lines.map((line) => line.request_id));
  const { error } = await ask('requests.list', { period: { from: to, to: from } });
  expect(error).toMatchObject({ code: 'invalid_request', fields: [{ path: 'from' }] });
});

test('returns a histogram whose sums match the list', async () => {
  const { ask, write } = await makeLog();
  await write({}, { status: 404, code: 'not_found' }, { status: 503, code: 'service_unavailable' }, { at: ago(7200) });
  type Bars = { step_seconds: number; bars: Record<'ok' | 'client_errors' | 'server_errors', number>[] };
  const sums = async (input: unknown) => {
    const { bars } = (await ask('requests.histogram', input)).data as Bars;
    const sum = (name: 'ok' | 'client_errors' | 'server_errors') => bars.reduce((all, bar) => all + bar[name], 0);
    return [sum('ok'), sum('client_errors'), sum('server_errors')];
  };
  expect(await sums({})).toEqual([2, 1, 1]);
  expect(await sums({ period: '1h' })).toEqual([1, 1, 1]);
  expect(await sums({ status: 'error' })).toEqual([0, 1, 1]);
  expect(await sums({ status: '4xx', code: 'not_found' })).toEqual([0, 1, 0]);
  const { step_seconds, bars } = (await ask('requests.histogram', { period: '30d' })).data as Bars;
  expect(step_seconds).toBe(43_200);
  expect(bars.length).toBeLessThanOrEqual(73);
});

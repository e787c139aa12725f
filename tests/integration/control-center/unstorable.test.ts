import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { makePerson, openSessionOf, tenantHeader } from '@/tests/support/control-center';
import { sharedServer } from '@/tests/support/shared';
import { type Member, makeControlCenter, POLICY } from './applications-people';

const { origin } = sharedServer();

// A well-formed key that was never issued.
const KEY = `pbk_test_${'0123456789abcdefghjkmnpqrs'}`;
const UNREADABLE = 'must not contain U+FFFD, which stands for unreadable bytes';
const CONTROL = 'must not contain control characters';
const LINE = 'must be one line of text without control characters';
const SECRET = 'must not contain an API key or a secret';

// The tests can share a tenant, because each call is either rejected or changes only its own records.
let owner: Member;
let applicationId: string;
let cookie: string | null;

beforeAll(async () => {
  const center = await makeControlCenter();
  ({ owner, applicationId } = center);
  const person = await makePerson(center.tenant.id);
  cookie = await openSessionOf(person);
});

describe('values that the database cannot store or the API must not store', () => {
  test.each([
    ['applications.list', 'query', 'search', { search: '\0' }, CONTROL],
    ['applications.list', 'query', 'search', { search: '\ud800' }, CONTROL],
    ['requests.get', 'query', 'request_id', { request_id: 'req_\0' }, CONTROL],
    ['requests.list', 'query', 'reference', { period: '24h', reference: 'order\0' }, CONTROL],
    ['applications.create', 'mutate', 'networks.0', { ...POLICY, networks: ['10.0.0.0/8\0'] }, CONTROL],
    ['applications.create', 'mutate', 'name', { ...POLICY, name: 'a\ud800b' }, CONTROL],
    ['applications.create', 'mutate', 'name', { ...POLICY, name: `Key ${KEY}` }, SECRET],
    ['applications.create', 'mutate', 'name', { ...POLICY, name: '\u200b \u3164' }, 'must have 1 to 200 characters'],
    ['applications.create', 'mutate', 'name', { ...POLICY, name: 'cod\u202eexe' }, LINE],
    ['applications.create', 'mutate', 'name', { ...POLICY, name: 'x'.repeat(1001) }, 'must have 1 to 200 characters'],
    ['applications.create', 'mutate', 'origins', { ...POLICY, origins: ['https://a..b'] }, null],
    ['applications.list', 'query', 'status', { status: 'gone' }, 'must be one of the known values'],
    ['applications.list', 'query', 'page', { page: 0 }, 'must be at least 1'],
    ['team.invite', 'mutate', 'email', { email: 'a\ud800b@new.example', role: 'SUPPORT' }, CONTROL],
    ['applications.create', 'mutate', 'name', { ...POLICY, name: 'K\ufffdche' }, UNREADABLE],
    ['views.create', 'mutate', 'name', { page: 'bookings', name: 'K\ufffdche', query: {} }, UNREADABLE],
    ['team.invite', 'mutate', 'email', { email: 'K\ufffd@new.example', role: 'SUPPORT' }, UNREADABLE],
    ['team.invite', 'mutate', 'email', { email: `${KEY}@new.example`, role: 'SUPPORT' }, SECRET],
  ] as const)('%s (%s) rejects %s of %j at its field', async (path, how, field, input, message) => {
    const { status, error } = await owner[how](path, input);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'invalid_request', fields: [{ path: field, ...(message && { message }) }] });
  });

  test.each([
    ['a\ud800b', CONTROL],
    ['bell\u0007', LINE],
    ['\u200b', 'must have 1 to 100 characters'],
    ['\u2066a\u2069', LINE],
    [KEY, SECRET],
  ])('keys.issue rejects the name %j', async (name, message) => {
    const { status, error } = await owner.mutate('keys.issue', {
      application_id: applicationId,
      name,
      expires_at: null,
    });
    expect([status, error?.fields]).toEqual([400, [{ path: 'name', message }]]);
  });

  test('applications.update rejects such a name', async () => {
    for (const name of ['a\ud800b', KEY]) {
      const input = { application_id: applicationId, expected_version: 1, ...POLICY, name };
      expect(await owner.mutate('applications.update', input)).toMatchObject({
        status: 400,
        error: { fields: [{ path: 'name' }] },
      });
    }
  });
});

test.each([
  `<img src=x onerror="document.title='broken'">`,
  `Robert'); DROP TABLE applications;--`,
  '💇‍♀️ 🧑🏽‍🦱 Ünïcödé ﷽',
  'مرحبا',
  'W'.repeat(200),
])('stores the name %s unchanged', async (name) => {
  const { data } = await owner.mutate('applications.create', { ...POLICY, name });
  const detail = await owner.query('applications.get', { application_id: (data as { id: string }).id });
  expect(detail.data).toMatchObject({ name });
});

test('strips invisible characters from both ends of a name', async () => {
  const { data } = await owner.mutate('applications.create', { ...POLICY, name: '\u200b Salon ❤️\u2003\ufeff' });
  const detail = await owner.query('applications.get', { application_id: (data as { id: string }).id });
  expect(detail.data).toMatchObject({ name: 'Salon ❤️' });
});

test.each([
  ['requests.list', `0000-01-01T00:00:00.000Z_${newId('req')}`],
  ['requests.list', `2026-02-31T00:00:00.000Z_${newId('req')}`],
  ['requests.list', `2026-01-01T00:00:00.000Z_${newId('aud')}`],
  ['audit.list', `0000-01-01T00:00:00.000Z_${newId('aud')}`],
  ['bookings.list', `0000-01-01T00:00:00.000Z_${newBookingReference()}`],
  ['bookings.list', 'xx'],
])('%s rejects the cursor %s', async (path, cursor) => {
  const { status, error } = await owner.query(path, { cursor });
  expect([status, error?.reason]).toEqual([400, 'cursor_mismatch']);
});

test.each([
  ['audit.list', { from: '0000-01-01T00:00:00Z', to: '0001-01-01T00:00:00Z' }],
  ['requests.list', { period: { from: '0000-01-01T00:00:00Z', to: '0001-01-01T00:00:00Z' } }],
  ['requests.histogram', { period: { from: '0000-01-01T00:00:00Z', to: '0001-01-01T00:00:00Z' } }],
  ['bookings.list', { period: { from: '0000-01-01', to: '0001-01-01' } }],
  ['bookings.list', { period: { from: '0001-01-01', to: '9999-12-31' } }],
  ['bookings.day', { location_id: newId('loc'), date: '0000-01-01' }],
  ['bookings.week', { location_id: newId('loc'), date: '0000-01-01' }],
])('%s does not fail for a period or date at the bounds of the calendar', async (path, input) => {
  expect((await owner.query(path, input)).status).toBeLessThan(500);
});

describe('a malformed call', () => {
  async function post(path: string, contentType: string | null, body: string) {
    const { statusCode, body: answer } = await request(`${origin}/api/trpc/${path}`, {
      method: 'POST',
      headers: {
        'x-partner-booking': 'control-center',
        cookie: cookie ?? '',
        ...(await tenantHeader(origin, cookie)),
        ...(contentType && { 'content-type': contentType }),
      },
      body,
    });
    const text = await answer.text();
    return { status: statusCode, error: JSON.parse(text).error?.data };
  }

  test.each([
    ['text/plain', '{}', 415],
    ['application/x-www-form-urlencoded', 'name=x', 415],
    [null, '{}', 415],
    ['application/json', '{', 400],
    ['application/json', 'null', 400],
  ])('with %s %s returns %i', async (contentType, body, status) => {
    expect(await post('applications.create', contentType, body)).toMatchObject({
      status,
      error: { code: 'invalid_request' },
    });
  });

  test('returns 413 for a body larger than any valid input', async () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`field_${i}`, i])));
    expect(await post('applications.create', 'application/json', many)).toMatchObject({ status: 413 });
    const long = JSON.stringify({ ...POLICY, scopes: Array(1_000_000).fill(0) });
    expect(await post('applications.create', 'application/json', long)).toMatchObject({ status: 413 });
    expect(await post('applications.create,catalog.transfer.check?batch=1', 'application/json', long)).toMatchObject({
      status: 413,
    });
  });

  test('accepts a larger body for an import and rejects its unknown fields', async () => {
    const text = JSON.stringify({ text: ' '.repeat(2 * 1024 * 1024 + 1) });
    expect((await post('catalog.transfer.check', 'application/json', text)).status).toBe(200);
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`field_${i}`, i])));
    expect(await post('catalog.transfer.check', 'application/json', many)).toMatchObject({
      status: 400,
      error: { reason: 'unknown_field' },
    });
  });
});

test('rejects every overlong webhook URL with the same message', async () => {
  for (const length of [2_049, 5_000]) {
    const url = `https://partner.com/${'a'.repeat(length)}`;
    const input = { application_id: applicationId, url, event_types: ['booking.created'] };
    const { error } = await owner.mutate('webhooks.create', input);
    expect(error).toMatchObject({ fields: [{ path: 'url', message: 'must have at most 2,048 characters' }] });
  }
});

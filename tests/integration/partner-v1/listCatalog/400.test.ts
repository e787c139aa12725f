import { beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '@/tests/support/client';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG, withQuery } from '@/tests/support/paths';
import { sendRaw } from '@/tests/support/raw';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
let client: Client;
let key: string;

beforeAll(async () => {
  key = (await makeBusiness()).key;
  client = createClient({ origin, key });
});

async function expectRefused(query: string) {
  const reply = await client(`${CATALOG}?${query}`);
  expect(reply.status).toBe(400);
  expect(reply.error.code).toBe('invalid_request');
  return { ...reply, paths: reply.error.fields.map(({ path }) => path) };
}

const INVALID_LIMITS = [
  '0',
  '51',
  '-1',
  '1e3',
  '١٠',
  '',
  ' ',
  '1.0',
  '+5',
  '0x10',
  '1000',
  '5 ',
  'NaN',
  '１０',
  '99999999999999999999',
];

test.for(INVALID_LIMITS)('rejects limit %j and names the parameter', async (limit) => {
  const { paths, error } = await expectRefused(new URLSearchParams({ limit }).toString());
  expect(paths).toEqual(['limit']);
  expect(error.reason).toBeNull();
  expect(error.message).toBe('One field is invalid.');
  if (limit.length > 1) expect(JSON.stringify(error.fields)).not.toContain(limit);
});

const INVALID_LOCALES = [
  '',
  '_de',
  'de_',
  'e',
  'english language',
  'de-',
  '-de',
  'de--CH',
  '*',
  'de,en',
  '../../etc',
  '\u0000',
  'de-'.repeat(200),
];

test.for(INVALID_LOCALES)('rejects locale %j and names the parameter', async (locale) => {
  const { paths } = await expectRefused(new URLSearchParams({ locale }).toString());
  expect(paths).toEqual(['locale']);
});

test('echoes no rejected value', async () => {
  for (const name of ['locale', 'limit', 'cursor', 'color']) {
    const sent = `${marker()} ${marker()}`;
    expectNoEcho(await expectRefused(new URLSearchParams({ [name]: sent }).toString()), sent);
  }
});

test.for(['limit=5&limit=5', 'locale=de&limit=5&locale=en', 'cursor=a&cursor=b', 'limit&limit=2'])(
  'rejects a repeated parameter and names it: %s',
  async (query) => {
    const { paths } = await expectRefused(query);
    expect(paths).toEqual([/locale.*locale/.test(query) ? 'locale' : query.slice(0, query.search(/[=&]/))]);
  },
);

test('names an unknown parameter whose name cannot carry data', async () => {
  const { paths, error } = await expectRefused('page=2&door_color=red');
  expect(paths.sort()).toEqual(['door_color', 'page']);
  expect(error.reason).toBe('unknown_field');
  expect(error.message).toBe('2 fields are invalid.');
});

test('names an unknown parameter of 40 letters but not one of 41', async () => {
  expect((await expectRefused(`${'a'.repeat(40)}=1`)).paths).toEqual(['a'.repeat(40)]);
  expect((await expectRefused(`${'a'.repeat(41)}=1`)).paths).toEqual(['*']);
});

const UNNAMED_PARAMETERS = [
  'john.doe@example.com',
  '+491701234567',
  'Limit',
  'limit[]',
  'limit ',
  'naïve',
  'a-b',
  'a1',
  '',
  '\n',
];

test.for(UNNAMED_PARAMETERS)('reports the unknown parameter %j without its name', async (name) => {
  const reply = await expectRefused(new URLSearchParams({ [name]: '1' }).toString());
  expect(reply.paths).toEqual(['*']);
  expect(reply.error.reason).toBe('unknown_field');
  if (name.length > 6) expectNoEcho(reply, name);
});

test.for(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'treats a parameter named %s like any unknown parameter',
  async (name) => {
    const { paths, error } = await expectRefused(`${name}=1`);
    expect(error.reason).toBe('unknown_field');
    expect(paths).toEqual([/^[a-z_]+$/.test(name) ? name : '*']);
  },
);

test.for([
  ['locale=%zz', 'locale'],
  ['locale=%', 'locale'],
  ['locale=%e', 'locale'],
  ['locale=%ff', 'locale'],
  ['locale=%c0%af', 'locale'],
  ['locale=%ed%a0%80', 'locale'],
  ['limit=%f0%9f', 'limit'],
  ['%ff=1', '*'],
  ['%zz', '*'],
] as const)('rejects a malformed escape or invalid UTF-8: %s', async ([query, path]) => {
  const { paths, error } = await expectRefused(query);
  expect(paths).toEqual([path]);
  expect(error.reason).toBeNull();
});

test('rejects raw non-ASCII bytes in the query', async () => {
  const reply = await sendRaw(origin, `${CATALOG}?locale=\xe4\xf6`, { headers: { authorization: `Bearer ${key}` } });
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.text).error.code).toBe('invalid_request');
});

test('names every invalid parameter at once', async () => {
  const { paths, error } = await expectRefused('limit=0&locale=_&color=red');
  expect(paths.sort()).toEqual(['color', 'limit', 'locale']);
  expect(error.reason).toBe('unknown_field');
});

test('names at most 20 of a thousand unknown parameters', async () => {
  const query = Array.from({ length: 1000 }, (_, i) => `a${'bcdefghij'.charAt(i % 9)}${i}=1`).join('&');
  const { error } = await expectRefused(query);
  expect(error.fields.length).toBeLessThanOrEqual(20);
});

test('ignores empty parts of a query', async () => {
  const reply = await client(`${CATALOG}?&limit=5&&`);
  expect(reply.status).toBe(200);
  expect((await client(`${CATALOG}?`)).status).toBe(200);
});

test('rejects the parameters of other routes as unknown', async () => {
  const { paths } = await expectRefused(withQuery('', { service_id: 'svc_x', location_id: 'loc_x' }).slice(1));
  expect(paths.sort()).toEqual(['location_id', 'service_id']);
});

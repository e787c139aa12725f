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

async function refused(query: string) {
  const reply = await client(`${CATALOG}?${query}`);
  expect(reply.status).toBe(400);
  expect(reply.error.code).toBe('invalid_request');
  return { ...reply, paths: reply.error.fields.map(({ path }) => path) };
}

const NO_LIMITS = [
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

test.for(NO_LIMITS)('limit %j is refused by name', async (limit) => {
  const { paths, error } = await refused(new URLSearchParams({ limit }).toString());
  expect(paths).toEqual(['limit']);
  expect(error.reason).toBeNull();
  expect(error.message).toBe('One field is invalid.');
  if (limit.length > 1) expect(JSON.stringify(error.fields)).not.toContain(limit);
});

const NO_LOCALES = [
  '',
  'en_US',
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

test.for(NO_LOCALES)('locale %j is refused by name', async (locale) => {
  const { paths } = await refused(new URLSearchParams({ locale }).toString());
  expect(paths).toEqual(['locale']);
});

test('a refused value is never repeated', async () => {
  for (const name of ['locale', 'limit', 'cursor', 'colour']) {
    const sent = `${marker()} ${marker()}`;
    expectNoEcho(await refused(new URLSearchParams({ [name]: sent }).toString()), sent);
  }
});

test.for(['limit=5&limit=5', 'locale=de&limit=5&locale=en', 'cursor=a&cursor=b', 'limit&limit=2'])(
  'a repeated parameter is refused by name: %s',
  async (query) => {
    const { paths } = await refused(query);
    expect(paths).toEqual([/locale.*locale/.test(query) ? 'locale' : query.slice(0, query.search(/[=&]/))]);
  },
);

test('an unknown parameter is named when its name could carry no data', async () => {
  const { paths, error } = await refused('page=2&colour_of_door=red');
  expect(paths.sort()).toEqual(['colour_of_door', 'page']);
  expect(error.reason).toBe('unknown_field');
  expect(error.message).toBe('2 fields are invalid.');
});

test('a name of 40 letters is named and one of 41 is not', async () => {
  expect((await refused(`${'a'.repeat(40)}=1`)).paths).toEqual(['a'.repeat(40)]);
  expect((await refused(`${'a'.repeat(41)}=1`)).paths).toEqual(['*']);
});

const SHY = ['john.doe@example.com', '+491701234567', 'Limit', 'limit[]', 'limit ', 'naïve', 'a-b', 'a1', '', '\n'];

test.for(SHY)('an unknown parameter named %j is not named', async (name) => {
  const reply = await refused(new URLSearchParams({ [name]: '1' }).toString());
  expect(reply.paths).toEqual(['*']);
  expect(reply.error.reason).toBe('unknown_field');
  if (name.length > 6) expectNoEcho(reply, name);
});

test.for(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a parameter named %s is just unknown',
  async (name) => {
    const { paths, error } = await refused(`${name}=1`);
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
] as const)('a bad escape or invalid UTF-8 is refused: %s', async ([query, path]) => {
  const { paths, error } = await refused(query);
  expect(paths).toEqual([path]);
  expect(error.reason).toBeNull();
});

test('bytes outside ASCII in the query are refused, not understood', async () => {
  const reply = await sendRaw(origin, `${CATALOG}?locale=\xe4\xf6`, { headers: { authorization: `Bearer ${key}` } });
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.text).error.code).toBe('invalid_request');
});

test('several bad parameters are all named', async () => {
  const { paths, error } = await refused('limit=0&locale=_&colour=red');
  expect(paths.sort()).toEqual(['colour', 'limit', 'locale']);
  expect(error.reason).toBe('unknown_field');
});

test('a thousand parameters are refused without naming them', async () => {
  const query = Array.from({ length: 1000 }, (_, i) => `a${'bcdefghij'.charAt(i % 9)}${i}=1`).join('&');
  const { error } = await refused(query);
  expect(error.fields.length).toBeLessThanOrEqual(20);
});

test('empty pieces of a query are no parameters', async () => {
  const reply = await client(`${CATALOG}?&limit=5&&`);
  expect(reply.status).toBe(200);
  expect((await client(`${CATALOG}?`)).status).toBe(200);
});

test('the parameters of other routes are unknown here', async () => {
  const { paths } = await refused(withQuery('', { service_id: 'svc_x', location_id: 'loc_x' }).slice(1));
  expect(paths.sort()).toEqual(['location_id', 'service_id']);
});

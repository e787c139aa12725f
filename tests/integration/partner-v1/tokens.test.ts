import { expect, test } from 'vitest';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { expectFields, narrowPolicy } from '@/tests/support/booking-rows';
import { AVAILABILITY, AVAILABILITY_DAYS, type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import type { Client } from '@/tests/support/client';
import { makeApplication, makeService, offer } from '@/tests/support/factories';
import { CATALOG, SPECIALISTS, withQuery } from '@/tests/support/paths';

const pathsOf = ({ service, location }: Pick<Desk, 'service' | 'location'>) => ({
  catalog: CATALOG,
  specialists: SPECIALISTS,
  slots: withQuery(AVAILABILITY, { service_id: service.id, location_id: location.id, date: dayAhead() }),
  days: withQuery(AVAILABILITY_DAYS, { service_ids: service.id, date: dayAhead(), date_to: dayAhead(20) }),
  next: withQuery(AVAILABILITY_DAYS, { service_ids: service.id, date: dayAhead(), next: 'true' }),
});

/** Returns the token of an answer, which is in the body and in `ETag`. */
async function tokenOf(client: Client, path: string): Promise<string> {
  const { status, headers, data } = await client(path);
  const { token } = data as { token: string };
  expect([status, headers.etag]).toEqual([200, `W/"${token}"`]);
  return token;
}

const ask = async (client: Client, path: string, tag: string) =>
  (await client(path, { headers: { 'if-none-match': tag } })).status;

test('an unchanged answer is a 304, only for its query and its application', async () => {
  const desk = await makeDesk();
  const sibling = partnerOf((await makeApplication(desk.tenant.id)).key);
  const paths = Object.values(pathsOf(desk));
  const tokens = await Promise.all(paths.map((path) => tokenOf(desk.client, path)));
  expect(new Set(tokens).size).toBe(paths.length);
  for (const [i, path] of paths.entries()) {
    const token = tokens[i] ?? '';
    expect(await tokenOf(desk.client, path)).toBe(token);
    for (const tag of [`W/"${token}"`, `"${token}"`, `"a", W/"${token}"`, '*', ` W/"${token}" `])
      expect([path, tag, await ask(desk.client, path, tag)]).toEqual([path, tag, 304]);
    const others = tokens.filter((one) => one !== token).map((one) => `W/"${one}"`);
    for (const tag of [token, `W/"${token}x"`, `W/"${token.toUpperCase()}"`, others.join(), `"${token}", `.repeat(200)])
      expect([path, tag, await ask(desk.client, path, tag)]).toEqual([path, tag, 200]);
    expect(await ask(sibling.client, path, `W/"${token}"`)).toBe(200);
    const locale = `${path}${path.includes('?') ? '&' : '?'}${path.includes('days') ? 'specialist_ids' : 'limit'}=`;
    expect(await ask(desk.client, locale + (path.includes('days') ? desk.ids[0] : '7'), `W/"${token}"`)).toBe(200);
  }
});

test('whatever changes an answer changes its token', async () => {
  const desk = await makeDesk({ specialists: 2 });
  const paths = pathsOf(desk);
  const names = Object.keys(paths) as (keyof typeof paths)[];
  const held = new Map<string, string>();
  const changed = async () => {
    const found: string[] = [];
    for (const name of names) {
      const status = await ask(desk.client, paths[name], `W/"${held.get(name)}"`);
      if (status === 200) found.push(name);
      held.set(name, await tokenOf(desk.client, paths[name]));
    }
    return found;
  };
  expect(await changed()).toEqual(names);
  expect(await changed()).toEqual([]);
  const { reference } = await desk.book('09:00', { specialist_id: desk.ids[0] });
  expect(await changed()).toEqual(['slots', 'days', 'next']);
  await desk.book('12:00');
  expect(await changed()).toEqual(['slots']);
  await desk.cancel(reference);
  expect(await changed()).toEqual(['slots', 'days', 'next']);
  await db().service.update({ where: { id: desk.service.id }, data: { name: { en: 'Trim' }, durationMinutes: 45 } });
  await markChanged(db(), 'catalog', desk.tenant.id);
  await desk.client(`${CATALOG}?min_token=${held.get('catalog')}`);
  expect(await changed()).toEqual(['catalog', 'slots', 'days', 'next']);
});

test('the end of a list changes the token of the page before it', async () => {
  const { tenant, specialists, location, client, service } = await makeDesk();
  const later = await makeService(tenant.id);
  await offer(tenant.id, specialists, [later], [location]);
  const path = withQuery(CATALOG, { limit: 1 });
  const token = await tokenOf(client, path);
  await db().service.update({ where: { id: later.id }, data: { published: false } });
  await markChanged(db(), 'catalog', tenant.id);
  const headers = { 'if-none-match': `W/"${token}"` };
  const { status, data } = await client(`${path}&min_token=${token}`, { headers });
  expect([status, data]).toMatchObject([200, { services: [{ id: service.id }], next_cursor: null }]);
});

test('304s count a tenth, together and rounded up, of what the answer would count', async () => {
  const { client, service, ids } = await makeDesk({ specialists: 7, policy: { quota: 60 } });
  const left = async (path: string, tag: string) => {
    const { status, headers } = await client(path, { headers: { 'if-none-match': tag } });
    return [status, Number(headers['x-ratelimit-remaining'])];
  };
  const counts: unknown[] = [];
  for (let i = 0; i < 21; i += 1) counts.push(await left(CATALOG, i === 0 ? '"x"' : '*'));
  const tenths = Array.from({ length: 20 }, (_, i) => [304, i < 10 ? 58 : 57]);
  expect(counts).toEqual([[200, 59], ...tenths]);
  // 7 specialists on 62 days are 434 specialist days, which count as 5 requests. Two such 304s count as 1.
  const query = { service_ids: service.id, date: dayAhead(), date_to: dayAhead(68) };
  const wide = withQuery(AVAILABILITY_DAYS, query);
  expect(await left(wide, '"x"')).toEqual([200, 52]);
  expect(await left(wide, '*')).toEqual([304, 51]);
  expect(await left(wide, '*')).toEqual([304, 51]);
  expect(ids).toHaveLength(7);
});

test('min_token gives what was committed before the request, and accepts only tokens of the business', async () => {
  const desk = await makeDesk();
  const other = await makeDesk();
  const sibling = partnerOf((await makeApplication(desk.tenant.id)).key);
  const tokens = [await tokenOf(desk.client, CATALOG), await tokenOf(sibling.client, pathsOf(desk).slots)];
  for (const [i, token] of [...tokens, ...tokens, ...tokens].entries()) {
    await db().service.update({ where: { id: desk.service.id }, data: { name: { en: `Cut ${i}` } } });
    await markChanged(db(), 'catalog', desk.tenant.id);
    const { data } = await desk.client(`${CATALOG}?min_token=${token}`);
    expect(JSON.stringify(data)).toContain(`"Cut ${i}"`);
  }
  await narrowPolicy(desk, { locationIds: [] });
  const { data } = await desk.client(`${CATALOG}?min_token=${tokens[0]}`);
  expect(data).toMatchObject({ services: [], locations: [] });
  const foreign = await tokenOf(other.client, CATALOG);
  const replies = [];
  for (const token of [foreign, '', 'x', `${tokens[0]}x`, tokens[0]?.toLowerCase() ?? '', 'x'.repeat(5_000)])
    for (const path of Object.values(pathsOf(desk)))
      replies.push(await desk.client(`${path}${path.includes('?') ? '&' : '?'}min_token=${token}`));
  for (const reply of replies) expectFields(reply, ['min_token']);
});

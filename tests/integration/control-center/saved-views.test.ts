import { expect, test } from 'vitest';
import { removeMember } from '@/lib/access/owners/team';
import { pool } from '@/lib/platform/db';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

type View = { id: string; name: string; query: Record<string, string> };

/**
 * Creates a member of a tenant and signs them in. Returns functions that call the `views` procedures as this member.
 */
async function makeViewer(tenantId: string, role: Parameters<typeof makePerson>[1] = 'OWNER') {
  const person = await makePerson(tenantId, role);
  const cookie = await openSessionOf(person);
  const call = async (procedure: string, input: object) => {
    const type = procedure === 'list' ? 'query' : 'mutation';
    const { status, data, error } = await callProcedure(`views.${procedure}`, { origin, cookie, type, input });
    return { status, data, error: error && [error.code, error.fields[0]?.path, error.fields[0]?.message] };
  };
  const save = (name: string, query: object = { status: '4xx' }, page = 'requests') =>
    call('create', { page, name, query });
  const list = async (page = 'requests') => (await call('list', { page })).data as View[];
  return { person, call, save, list };
}

test('a member saves, renames, and deletes views, by name and per page', async () => {
  const tenant = await makeTenant();
  const { call, save, list } = await makeViewer(tenant.id);
  expect(await list()).toEqual([]);
  const query = { period: '7d', status: 'error', route: '/api/partner/v1/bookings', order: 'oldest' };
  const { data } = await save('  Refused bookings ', query);
  await save('Errors', { status: '5xx', cursor: 'x', live: '1', tenant_id: 'ten_1', ['__proto__']: 'x' });
  await save('Errors', { status: 'no_show', location: 'loc_1' }, 'bookings');
  expect(await list()).toEqual([
    { id: expect.any(String), name: 'Errors', query: { status: '5xx' } },
    { id: (data as View).id, name: 'Refused bookings', query },
  ]);
  expect(await list('bookings')).toMatchObject([{ name: 'Errors', query: { status: 'no_show', location: 'loc_1' } }]);
  const { id } = data as View;
  expect(await call('rename', { id, name: 'errors' })).toMatchObject({
    status: 400,
    error: ['invalid_request', 'name', 'is the name of another view'],
  });
  expect(await call('rename', { id, name: 'A first one' })).toMatchObject({ status: 200 });
  expect((await list()).map(({ name }) => name)).toEqual(['A first one', 'Errors']);
  expect(await call('delete', { id })).toMatchObject({ status: 200 });
  expect(await call('delete', { id })).toMatchObject({ status: 404 });
  expect((await list()).map(({ name }) => name)).toEqual(['Errors']);
  for (const name of ['View 10', 'view 3', 'Ärger']) await save(name);
  expect((await list()).map(({ name }) => name)).toEqual(['Ärger', 'Errors', 'view 3', 'View 10']);
});

test('views of other members and tenants do not exist, and a role sees only its pages', async () => {
  const tenant = await makeTenant();
  const owner = await makeViewer(tenant.id);
  const { id } = (await owner.save('Mine')).data as View;
  const others = [await makeViewer(tenant.id, 'SUPPORT'), await makeViewer((await makeTenant()).id)];
  for (const other of others) {
    expect(await other.list()).toEqual([]);
    expect(await other.call('rename', { id, name: 'Theirs' })).toMatchObject({ status: 404 });
    expect(await other.call('delete', { id })).toMatchObject({ status: 404 });
    expect(await other.save('Mine')).toMatchObject({ status: 200 });
  }
  expect(await owner.list()).toMatchObject([{ id, name: 'Mine' }]);
  const desk = await makeViewer(tenant.id, 'FRONT_DESK');
  expect(await desk.save('Mine')).toMatchObject({ status: 403 });
  expect(await desk.call('list', { page: 'requests' })).toMatchObject({ status: 403 });
  expect(await desk.save('Mine', { period: 'past' }, 'bookings')).toMatchObject({ status: 200 });
});

test('refuses names and filters that the page does not have', async () => {
  const { save, list } = await makeViewer((await makeTenant()).id);
  const refused = [400, 'invalid_request'];
  const reply = async (...given: Parameters<typeof save>) => {
    const { status, error } = await save(...given);
    return [status, error?.[0]];
  };
  for (const name of [
    '',
    '   ',
    'a'.repeat(61),
    `pbk_test_${'a1B2'.repeat(11)}`,
    'a\u0000b',
    '\u3164',
    '\u2800',
    'a\u2028b',
  ])
    expect(await reply(name), name).toEqual(refused);
  for (const query of [
    { status: '6xx' },
    { status: 404 },
    { period: 'forever' },
    { period: 'custom', from: 'yesterday' },
    { order: ['newest'] },
    { reference: 'r'.repeat(129) },
    { code: '' },
    'status=4xx',
  ])
    expect(await reply('A view', query as object), JSON.stringify(query)).toEqual(refused);
  expect(await reply('A view', { period: 'dates', from: '2026-02-30' }, 'bookings')).toEqual(refused);
  expect(await reply('A view', {}, 'audit')).toEqual(refused);
  expect(await list()).toEqual([]);
});

test('a member has at most 20 views per page, also when saving several at once', async () => {
  const tenant = await makeTenant();
  const { person, save, list } = await makeViewer(tenant.id);
  for (let number = 1; number <= 17; number += 1) await save(`View ${number}`);
  const many = await Promise.all([18, 19, 20, 21, 22, 23].map((number) => save(`View ${number}`)));
  const left = 20 - (17 + many.filter(({ status }) => status === 200).length);
  for (let number = 0; number < left; number += 1) expect((await save(`Late ${number}`)).status).toBe(200);
  expect(await save('One more')).toMatchObject({ status: 409, error: ['too_many_views', undefined, undefined] });
  expect(await list()).toHaveLength(20);
  expect((await save('Elsewhere', {}, 'bookings')).status).toBe(200);
  await makePerson(tenant.id);
  const actor = { kind: 'system' } as const;
  await removeMember(new Date(), { tenantId: tenant.id, actor, userId: person.userId });
  expect((await pool().query('SELECT FROM saved_views WHERE user_id = $1', [person.userId])).rows).toEqual([]);
});

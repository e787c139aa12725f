import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { makePerson, signInOverHttp } from '@/tests/support/control-center';
import { sharedServer } from '@/tests/support/shared';
import { enter, makeTeam, PASSWORD } from './team-people';

const { origin } = sharedServer();

test('applies a role from the next call on and ends every session of a removed member', async () => {
  const { tenant, owner } = await makeTeam();
  const person = await makePerson(tenant.id, 'SUPPORT', 'Sam Support');
  const [one, two] = [await enter(person), await enter(person)];
  const target = { user_id: person.userId };
  expect(await one.query('team.list')).toMatchObject({ status: 403 });
  expect(await owner.mutate('team.set_role', { ...target, role: 'OWNER' })).toMatchObject({ status: 200 });
  expect(await one.query('team.list')).toMatchObject({ status: 200 });
  expect(await owner.mutate('team.remove', target)).toMatchObject({ status: 200 });
  for (const session of [one, two]) expect(await session.query('session.me')).toMatchObject({ status: 401 });
  expect(await db().session.count({ where: { userId: person.userId, endedAt: null } })).toBe(0);
  expect(await signInOverHttp(origin, person.email, person.password)).toBeNull();
  expect(await owner.mutate('team.remove', target)).toMatchObject({ status: 404 });
  expect(await db().auditLog.findMany({ where: { objectId: person.userId }, orderBy: { id: 'asc' } })).toMatchObject([
    { action: 'member.role_changed', before: { role: 'SUPPORT' }, after: { role: 'OWNER' } },
    { action: 'member.removed', before: { email: person.email, role: 'OWNER' } },
  ]);
});

test('keeps the last owner', async () => {
  const { tenant, owner } = await makeTeam();
  await makePerson(tenant.id, 'SUPPORT');
  const self = { user_id: owner.userId };
  for (const [path, input] of [
    ['team.remove', self],
    ['team.set_role', { ...self, role: 'SUPPORT' }],
  ] as const) {
    expect(await owner.mutate(path, input)).toMatchObject({ status: 409, error: { code: 'last_owner' } });
  }
  expect(await owner.query('team.list')).toMatchObject({ status: 200 });
});

test('keeps one owner when two concurrently remove or demote each other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { tenant, owner } = await makeTeam();
    const second = await enter(await makePerson(tenant.id, 'OWNER', 'Second Owner'));
    await Promise.all([
      owner.mutate('team.remove', { user_id: second.userId }),
      second.mutate('team.set_role', { user_id: owner.userId, role: 'SUPPORT' }),
      second.mutate('team.remove', { user_id: second.userId }),
      owner.mutate('team.set_role', { user_id: owner.userId, role: 'SUPPORT' }),
    ]);
    expect(await db().membership.count({ where: { tenantId: tenant.id, role: 'OWNER' } })).toBe(1);
  }
});

test('ends all other sessions when the password changes', async () => {
  const { tenant } = await makeTeam();
  const person = await makePerson(tenant.id, 'SUPPORT');
  const [here, there] = [await enter(person), await enter(person)];
  const change = (current_password: string, new_password: string) =>
    here.mutate('session.change_password', { current_password, new_password });
  expect(await change('wrong', PASSWORD)).toMatchObject({
    status: 400,
    error: { fields: [{ path: 'current_password' }] },
  });
  expect(await change(person.password, 'short')).toMatchObject({ error: { fields: [{ path: 'new_password' }] } });
  expect(await there.query('session.me')).toMatchObject({ status: 200 });
  expect(await change(person.password, PASSWORD)).toMatchObject({ status: 200 });
  expect(await here.query('session.me')).toMatchObject({ status: 200 });
  expect(await there.query('session.me')).toMatchObject({ status: 401 });
  expect(await signInOverHttp(origin, person.email, person.password)).toBeNull();
  expect(await signInOverHttp(origin, person.email, PASSWORD)).not.toBeNull();
  const [line, ...more] = await db().auditLog.findMany({ where: { objectId: person.userId } });
  expect([line?.action, line?.before, line?.after, more]).toEqual(['user.password_changed', null, null, []]);
});

test('limits guesses of the current password within a session', async () => {
  const { owner } = await makeTeam();
  const statuses = [];
  for (let i = 0; i < 7; i += 1) {
    const input = { current_password: 'wrong', new_password: PASSWORD };
    statuses.push((await owner.mutate('session.change_password', input)).status);
  }
  expect(statuses).toEqual([...Array(6).fill(400), 429]);
});

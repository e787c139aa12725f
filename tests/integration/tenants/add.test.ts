import { expect, test } from 'vitest';
import { addTenant, inviteOwner } from '@/lib/operations/tenants/add';
import { listTenants } from '@/lib/operations/tenants/list';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { skeletonOf } from '@/lib/platform/text/skeleton';
import {
  callProcedure,
  makePerson,
  openPage,
  openSessionOf,
  postAsPage,
  signInOverHttp,
} from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
const PASSWORD = 'correct horse battery';

const newTenant = () => ({
  business_name: `Harbour ${newId('ten')}`,
  time_zone: 'Europe/Berlin',
  locales: ['de', 'en'],
  owner: `${newId('usr')}@Harbour.example`,
});

/** Accepts an invitation as a new person. Returns the status. */
async function accept(link: string): Promise<number> {
  const token = link.split('/invite/')[1];
  return (await postAsPage(origin, '/api/invite', { token, name: 'Olivia Owner', password: PASSWORD })).status;
}

test('adds a tenant whose first owner joins once with the operator’s invitation', async () => {
  const given = newTenant();
  const { tenantId, invitation } = await addTenant(new Date(), given);
  expect(await db().tenant.findUnique({ where: { id: tenantId } })).toMatchObject({
    name: given.business_name,
    timeZone: 'Europe/Berlin',
    defaultLocale: 'de',
    locales: ['de', 'en'],
    suspendedAt: null,
  });
  expect(await openPage(origin, new URL(invitation.link).pathname)).toContain('The operator invited');
  const newer = await inviteOwner(new Date(), tenantId, given.owner);
  expect(await accept(invitation.link)).toBe(404);
  const statuses = await Promise.all([accept(newer.link), accept(newer.link)]);
  expect(statuses.sort()).toEqual([200, 404]);
  const cookie = await signInOverHttp(origin, given.owner, PASSWORD);
  const me = await callProcedure('session.me', { origin, cookie, type: 'query' });
  expect(me.data).toMatchObject({ role: 'OWNER', tenant_name: given.business_name });
  const audit = await callProcedure('audit.list', { origin, cookie, type: 'query', input: { person: 'operator' } });
  expect(audit.data).toMatchObject({
    lines: [
      { action: 'invitation.created', actor_kind: 'operator' },
      { action: 'invitation.created', actor_kind: 'operator' },
      { action: 'tenant.created', actor_kind: 'operator' },
    ],
  });
  expect(JSON.stringify(audit.data)).not.toContain(newer.link.slice(-43));
  const { tenants } = await listTenants(given.business_name.toUpperCase());
  expect(tenants).toMatchObject([{ id: tenantId, members: 1, applications: 0 }]);
});

test('refuses a name that another tenant has, a member of the tenant as owner, and an unknown tenant', async () => {
  const given = newTenant();
  const tenant = await makeTenant({ name: given.business_name, nameSkeleton: skeletonOf(given.business_name) });
  const refused = (path: string) => ({ code: 'invalid_request', fields: [{ path }] });
  await expect(addTenant(new Date(), given)).rejects.toMatchObject(refused('business_name'));
  const twice = newTenant();
  const adding = await Promise.allSettled([addTenant(new Date(), twice), addTenant(new Date(), twice)]);
  expect(adding.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const { email } = await makePerson(tenant.id);
  await expect(addTenant(new Date(), { ...newTenant(), owner: email })).resolves.toHaveProperty('invitation');
  await expect(inviteOwner(new Date(), tenant.id, email.toUpperCase())).rejects.toMatchObject(refused('owner'));
  await expect(inviteOwner(new Date(), newId('ten'), email)).rejects.toMatchObject({ code: 'not_found' });
  expect(await db().tenant.count({ where: { name: given.business_name } })).toBe(1);
});

test('the owner sees and can revoke the operator’s invitation', async () => {
  const tenant = await makeTenant();
  const cookie = await openSessionOf(await makePerson(tenant.id));
  const { id, link } = await inviteOwner(new Date(), tenant.id, `${newId('usr')}@harbour.example`);
  const team = await callProcedure('team.list', { origin, cookie, type: 'query' });
  expect(team.data).toMatchObject({ invitations: [{ id, invited_by: 'The operator', role: 'OWNER' }] });
  const input = { invitation_id: id };
  expect(await callProcedure('team.revoke_invitation', { origin, cookie, type: 'mutation', input })).toMatchObject({
    status: 200,
  });
  expect(await accept(link)).toBe(404);
});

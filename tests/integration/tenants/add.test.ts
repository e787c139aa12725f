import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { addTenant, inviteOwner } from '@/lib/operations/tenants/add';
import { listTenants } from '@/lib/operations/tenants/list';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { skeletonOf } from '@/lib/platform/text/skeleton';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, makePerson, openSessionOf, signInOverHttp } from '@/tests/support/control-center';
import { createDatabase, openPool } from '@/tests/support/database';
import { makeTenant } from '@/tests/support/factories';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
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
  const dispatcher = new Agent({ localAddress: freshAddress() });
  const token = link.split('/invite/')[1];
  const answer = await request(`http://127.0.0.1:${new URL(origin).port}/api/invite`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-booking': 'control-center' },
    body: JSON.stringify({ token, name: 'Olivia Owner', password: PASSWORD }),
  });
  await answer.body.dump();
  await dispatcher.close();
  return answer.statusCode;
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
  const page = await request(`${origin}/invite/${invitation.link.split('/invite/')[1]}`);
  expect((await page.body.text()).replaceAll('<!-- -->', '')).toContain('The operator invited');
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

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
});

test('the command adds, suspends, lists, exports, and deletes tenants of a LIVE database, and keeps the link out of its output', async () => {
  const database = await createDatabase();
  const pool = openPool(database.url);
  const DATA_DIR = await freshDataDir();
  const live = { DATA_DIR, ENVIRONMENT: 'LIVE', DATABASE_URL: database.url, SECRET_KEY: 's'.repeat(32) };
  const command = async (...args: string[]) => {
    const launched = launch(live, ['tenant', ...args]);
    return { code: await launched.ended(), output: launched.output() };
  };
  const options = ['--time-zone', 'Europe/Berlin', '--languages', 'de', '--owner', 'olivia@harbour.example'];
  const added = await command('add', '--name', 'Harbour Hair', ...options);
  expect(added).toMatchObject({ code: 0 });
  const [, id = ''] = /^Added Harbour Hair \((ten_\w{26})\)\.$/m.exec(added.output) ?? [];
  const [, link = ''] = /is in (.*invitation-inv_\w{26})\. It works once, until /.exec(added.output) ?? [];
  expect(link.startsWith(join(DATA_DIR, 'invitation-'))).toBe(true);
  expect((await stat(link)).mode & 0o777).toBe(0o600);
  expect(added.output).not.toContain('/invite/');
  expect(await command('suspend', id)).toEqual({
    code: 0,
    output: `Harbour Hair (${id}) is suspended. Every server applies this within one second.\n`,
  });
  expect(await command('resume', newId('ten'))).toEqual({
    code: 1,
    output: 'There is no tenant with this ID. To see the IDs, run npm run tenant -- list.\n',
  });
  const { output } = await command('list', 'harbour');
  expect(output.split('\n')[1]).toMatch(
    new RegExp(`^${id} {2}suspended since .*Z +\\d{4}-\\d\\d-\\d\\d +0 +0 +Harbour Hair$`),
  );
  const exported = await command('export', id, join(DATA_DIR, 'harbour.gz'), '--readable');
  expect(exported.output).toMatch(
    /harbour\.gz: Harbour Hair \(ten_\w{26}\), \d+ rows in \d+ tables, signed by [\w-]{43}\. The file contains contacts in plain text/,
  );
  const deleting = launch(live, ['tenant', 'delete', id, '--confirm', 'Harbour Hair']);
  await deleting.saying('for running requests');
  deleting.interrupt('SIGKILL');
  await deleting.ended();
  const { rows } = await pool.query('SELECT action, actor_kind FROM audit_log ORDER BY id');
  expect(rows.map(({ action, actor_kind }) => `${action} ${actor_kind}`)).toEqual([
    'tenant.created operator',
    'invitation.created operator',
    'tenant.suspended operator',
    'tenant.exported operator',
  ]);
  // `delete` waits until `began_at` is 15 seconds ago. This statement makes it 15 seconds earlier to avoid the wait.
  const superuser = openPool(database.adminUrl, 1);
  await superuser.query(
    `SET session_replication_role = replica; UPDATE tenant_deletions SET began_at = began_at - interval '15 s'`,
  );
  await superuser.end();
  const deleted = await command('delete', id, '--confirm', 'Harbour Hair');
  expect(deleted.output).toMatch(
    /^cache_versions: 1 deleted\naudit_log: 4 deleted\nHarbour Hair \(ten_\w{26}\) is deleted: \d+ rows in \d+ tables\.\n$/s,
  );
  expect((await pool.query('SELECT FROM tenants')).rowCount).toBe(0);
  await pool.end();
  await database.drop();
}, 180_000);

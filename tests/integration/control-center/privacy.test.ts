import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { makeDesk } from '@/tests/support/bookings';
import { moveToPast } from '@/tests/support/past';
import { makeMember } from './applications-people';

const DEFAULTS = { request_log_days: 30, contact_days: 365, delivery_days: 30, history_days: 365 };

test('lets an owner change the retention periods and records the change in the audit log', async () => {
  const { tenant } = await makeDesk();
  const owner = await makeMember(tenant.id);
  expect((await owner.query('privacy.get')).data).toEqual(DEFAULTS);
  const settings = { request_log_days: 7, contact_days: null, delivery_days: 14, history_days: null };
  expect((await owner.mutate('privacy.update', settings)).data).toEqual(settings);
  expect((await owner.query('privacy.get')).data).toEqual(settings);
  await owner.mutate('privacy.update', settings);
  expect(await db().auditLog.findMany({ where: { tenantId: tenant.id, action: 'retention.changed' } })).toMatchObject([
    { before: DEFAULTS, after: settings, actorKind: 'owner' },
  ]);
});

test.for([
  ['request_log_days', 0],
  ['request_log_days', 31],
  ['contact_days', 0],
  ['contact_days', 3651],
  ['contact_days', 1.5],
  ['delivery_days', 13],
  ['delivery_days', 366],
  ['history_days', 89],
  ['history_days', 3651],
] as const)('rejects %s of %d at its field', async ([path, days]) => {
  const { tenant } = await makeDesk();
  const owner = await makeMember(tenant.id);
  const reply = await owner.mutate('privacy.update', { ...DEFAULTS, [path]: days });
  expect(reply).toMatchObject({ status: 400, error: { fields: [{ path }] } });
  expect((await owner.query('privacy.get')).data).toEqual(DEFAULTS);
});

test('previews how many contacts a retention period would delete', async () => {
  const { tenant, book } = await makeDesk();
  const owner = await makeMember(tenant.id);
  const { reference } = await book('10:00');
  await book('11:00');
  await moveToPast(reference, 7 + 10);
  const count = async (contact_days: number) => (await owner.query('privacy.preview', { contact_days })).data;
  expect(await count(9)).toEqual({ contacts: 1 });
  expect(await count(11)).toEqual({ contacts: 0 });
});

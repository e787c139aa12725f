import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordChanges } from '@/lib/activity/audit/record';
import { chooseMail } from '@/lib/activity/mail/unsubscribe';
import { lastBackup, recordBackup } from '@/lib/operations/backup/age';
import { queueNotices } from '@/lib/operations/notices';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { makePerson, type Person } from '@/tests/support/control-center';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { deliverDue, dependenciesOf, type ManualClock, makeWebhook, manualClock } from '@/tests/support/webhooks';

const DAY = 86_400_000;
let database: OwnDatabase;
let receiver: Receiver;
let clock: ManualClock;
let webhook: Awaited<ReturnType<typeof makeWebhook>>;
let owner: Person;

beforeAll(async () => {
  database = await ownDatabase();
  Object.assign(process.env, { SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'booking@platform.example' });
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.clear();
  await database.query('DELETE FROM mails');
  await database.query(
    `INSERT INTO environment (name, secrets_fingerprint) VALUES ('TEST', repeat('a', 64)) ON CONFLICT DO NOTHING`,
  );
  receiver = await startReceiver();
  clock = manualClock(new Date('2026-11-27T10:00:00Z'));
  webhook = await makeWebhook(receiver.url, clock.now());
  owner = await makePerson(webhook.tenant.id);
  return () => receiver.close();
});

const kinds = async () =>
  (await db().mail.findMany({ orderBy: { id: 'asc' } })).map(({ kind, email }) => `${kind} ${email === owner.email}`);

async function fail(count: number) {
  for (let n = 0; n < count; n += 1) {
    await webhook.emit(1, clock.now());
    await deliverDue(dependenciesOf(clock));
    clock.advance(1_000);
  }
}

test('the first attempts of five deliveries fail: one mail, and a success arms it again', async () => {
  receiver.answer(status(500));
  await fail(4);
  expect(await kinds()).toEqual([]);
  await fail(3);
  expect(await kinds()).toEqual(['endpoint_failing true']);
  receiver.answer(status(200));
  clock.advance(3_600_000);
  while ((await deliverDue(dependenciesOf(clock))) > 0);
  expect(await webhook.endpoint()).toMatchObject({ failedFirsts: 0 });
  receiver.answer(status(500));
  await fail(4);
  expect(await kinds()).toHaveLength(1);
  await fail(1);
  expect(await kinds()).toEqual(['endpoint_failing true', 'endpoint_failing true']);
});

test('a disabled endpoint is mailed to everyone who may know it, and to nobody else', async () => {
  const { id: tenantId } = webhook.tenant;
  const support = await makePerson(tenantId, 'SUPPORT');
  await makePerson(tenantId, 'FRONT_DESK');
  await makePerson(tenantId, 'OWNER', 'Una Unproven', undefined, false);
  const refusing = await makePerson(tenantId, 'OWNER');
  await chooseMail({ userId: refusing.userId, kind: 'endpoint_disabled' }, false);
  receiver.answer(status(410));
  await fail(1);
  const to = (await db().mail.findMany()).map(({ kind, email }) => [kind, email]);
  expect(to.sort()).toEqual([owner, support].map(({ email }) => ['endpoint_disabled', email]).sort());
});

const run = async (at: Date) => {
  await queueNotices(at);
  await queueNotices(at);
};
const of = async (kind: string) =>
  (await db().mail.findMany({ where: { kind, email: owner.email }, orderBy: { id: 'asc' } })).map(({ cause }) => cause);

test('a key is mailed 30, 14, and 3 days before its end and when it has expired, once each', async () => {
  const issued = clock.now();
  const endsAt = new Date(issued.getTime() + 60 * DAY);
  const { keyId } = await makeApplication(webhook.tenant.id);
  await db().apiKey.update({ where: { id: keyId }, data: { createdAt: issued, expiresAt: endsAt } });
  for (const day of [20, 30, 40, 46, 50, 57, 58, 60.01, 62, 70]) await run(new Date(issued.getTime() + day * DAY));
  expect(await of('key_expiry')).toEqual([30, 14, 3, 0].map((step) => `${keyId} ${step}`));
});

test('applications whose requests fail, and specialists who cannot be booked, are mailed once', async () => {
  const now = clock.now();
  await database.query(
    `INSERT INTO request_log (request_id, at, tenant_id, application_id, method, status, duration_ms)
     SELECT 'req_0' || lpad(n::text, 25, '0'), $1::timestamptz - n * interval '1 minute', $2, $3, 'GET', 400, 1
     FROM generate_series(1, 6) AS n`,
    [now, webhook.tenant.id, webhook.applicationId],
  );
  await run(now);
  expect(await of('application_errors')).toEqual([`${webhook.applicationId} 2026-11-27`]);
  expect(await of('not_bookable')).toEqual([]);
  await db().offering.deleteMany({ where: { tenantId: webhook.tenant.id } });
  await run(now);
  const { specialist, service, location } = webhook;
  expect((await of('not_bookable')).sort()).toEqual([specialist.id, service.id, location.id].sort());
});

test('bookings that new time zone rules moved are mailed once, after all have been derived', async () => {
  const now = clock.now();
  const rules = (derivedAt: Date | null) =>
    database.query('UPDATE environment SET zone_rules = $1, zone_rules_derived_at = $2', [ZONE_RULES, derivedAt]);
  const object = { kind: 'booking', id: 'pbr_00000000000000000000000001' };
  const moved = { tenantId: webhook.tenant.id, actor: { kind: 'system' }, action: 'booking.updated', object } as const;
  await recordChanges(db(), now, [moved, moved]);
  await rules(null);
  await run(now);
  expect(await of('moved_bookings')).toEqual([]);
  await rules(now);
  await run(now);
  await run(new Date(now.getTime() + DAY));
  expect(await of('moved_bookings')).toEqual([`${webhook.tenant.id} ${ZONE_RULES}`]);
});

test('an overdue backup is mailed once to the only business, if a backup was ever recorded', async () => {
  const began = new Date('2026-11-27T02:00:00Z');
  const hours = (count: number) => run(new Date(began.getTime() + count * 3_600_000));
  await database.query('UPDATE environment SET backed_up_at = NULL');
  await hours(100);
  expect(await of('backup_overdue')).toEqual([]);
  expect(await recordBackup(database.url, began)).toBe(true);
  // An older backup that ends later does not replace it.
  await recordBackup(database.url, new Date(began.getTime() - DAY));
  expect(await lastBackup()).toEqual(began);
  await hours(26);
  expect(await of('backup_overdue')).toEqual([]);
  await hours(26.1);
  await hours(50);
  expect(await of('backup_overdue')).toEqual([`backup ${began.getTime()}`]);
  await recordBackup(database.url, new Date(began.getTime() + DAY));
  await makeTenant();
  await hours(60);
  expect(await of('backup_overdue')).toHaveLength(1);
});

test('a calendar that cannot be read is mailed after 2 and after 24 hours, and again after its next success', async () => {
  const { tenant, specialist } = webhook;
  const since = clock.now();
  const id = newId('cld');
  await db().calendar.create({
    data: {
      ...{ id, tenantId: tenant.id, specialistId: specialist.id, subjectId: specialist.id, name: 'Private' },
      ...{ url: Buffer.alloc(60), showTitles: false, blockWhenStale: false, createdAt: since, lastSuccessAt: since },
      ...{ nextAttemptAt: since, failures: 1, problem: 'timeout' },
    },
  });
  const hours = (count: number) => new Date(since.getTime() + count * 3_600_000);
  for (const hour of [1, 2, 3, 23, 24, 30]) await run(hours(hour));
  expect(await of('calendar_unreadable')).toEqual([2, 24].map((step) => `${id} ${since.getTime()} ${step}`));
  await db().calendar.update({ where: { id }, data: { lastSuccessAt: hours(31), failures: 0, problem: null } });
  await run(hours(34));
  expect(await of('calendar_unreadable')).toHaveLength(2);
  await db().calendar.update({ where: { id }, data: { failures: 1, problem: 'timeout' } });
  await run(hours(34));
  expect((await of('calendar_unreadable')).at(-1)).toBe(`${id} ${hours(31).getTime()} 2`);
});

test('the daily summary is off until a person chooses it, and covers the day before', async () => {
  await db().tenant.updateMany({ data: { timeZone: 'Europe/Berlin' } });
  await webhook.emit(2, new Date('2026-11-26T22:30:00Z'));
  await webhook.emit(1, new Date('2026-11-26T23:30:00Z'));
  await run(clock.now());
  expect(await of('daily_summary')).toEqual([]);
  await chooseMail({ userId: owner.userId, kind: 'daily_summary' }, true);
  await run(new Date('2026-11-27T05:59:00Z'));
  expect(await of('daily_summary')).toEqual([]);
  await run(clock.now());
  expect(await of('daily_summary')).toEqual([`${webhook.tenant.id} 2026-11-26`]);
});

test('a suspended tenant gets no notices', async () => {
  await db().tenant.updateMany({ data: { suspendedAt: clock.now() } });
  await db().offering.deleteMany({});
  await run(clock.now());
  expect(await db().mail.count()).toBe(0);
});

import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { webhookHealth } from '@/lib/control-center/overview/webhooks';
import { db, pool } from '@/lib/platform/db';
import { placeIn, seal } from '@/lib/platform/secrets';
import { attemptDue } from '@/lib/webhooks/attempt-due';
import { rotateSecret } from '@/lib/webhooks/secrets';
import { startReceiver } from '@/tests/support/receiver';
import { deliverDue, dependenciesOf, makeWebhook } from '@/tests/support/webhooks';
import { stageOfEachTest } from './stage';

const stage = stageOfEachTest();

/** Makes the endpoint's current secret impossible to decrypt. */
const modify = (applicationId: string) =>
  pool().query(
    'UPDATE webhook_secrets SET sealed = set_byte(sealed, length(sealed) - 1, get_byte(sealed, length(sealed) - 1) # 1) WHERE application_id = $1',
    [applicationId],
  );

const remove = (applicationId: string) =>
  pool().query('DELETE FROM webhook_secrets WHERE application_id = $1', [applicationId]);

/** Stores a secret that can be decrypted but contains no key. */
async function garble(applicationId: string) {
  const sealed = new Uint8Array(seal('whsec_', placeIn('webhook_secrets.sealed', applicationId, 1)));
  await db().webhookSecret.updateMany({ where: { applicationId }, data: { sealed } });
}

const healthOf = async ({ tenant }: { tenant: { id: string } }) => {
  const [health] = await webhookHealth(tenant.id, stage.clock.now());
  return { failing: health?.failing, secret_unreadable: health?.secret_unreadable };
};

test.each([
  ['cannot be decrypted', modify],
  ['contains no key', garble],
  ['does not exist', remove],
])('a secret that %s fails only its own attempts, and rotating it heals the endpoint', async (_, spoil) => {
  const receiver = await startReceiver();
  const bad = await makeWebhook(receiver.url, stage.clock.now());
  await spoil(bad.applicationId);
  const [badId = ''] = await bad.emit();
  const [goodId = ''] = await stage.webhook.emit();
  stage.clock.advance(1_000);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(2);
  expect(await stage.webhook.deliveries()).toMatchObject([{ id: goodId, state: 'succeeded' }]);
  const failed = { number: 1, error: 'secret_unreadable', status: null, durationMs: expect.any(Number) };
  expect(await bad.attempts(badId)).toMatchObject([failed]);
  const retried = { state: 'pending', leasedUntil: null, scheduledAttempts: 1 };
  const [waiting] = await bad.deliveries();
  expect(waiting).toMatchObject(retried);
  expect(receiver.received).toEqual([]);
  expect(await healthOf(bad)).toEqual({ failing: true, secret_unreadable: true });
  expect(await healthOf(stage.webhook)).toEqual({ failing: false, secret_unreadable: false });

  // The replaced secret stays unreadable during the overlap, but no longer matters.
  stage.clock.advance(1_000);
  const secret = await rotateSecret(db(), stage.clock.now(), bad.applicationId, 7);
  expect(await healthOf(bad)).toEqual({ failing: true, secret_unreadable: false });
  stage.clock.to(waiting?.nextAttemptAt ?? stage.clock.now());
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
  expect(await bad.deliveries()).toMatchObject([{ id: badId, state: 'succeeded' }]);
  const [received] = receiver.received;
  expect(received?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  const at = Number(received?.headers['webhook-timestamp']);
  const signature = new Webhook(secret).sign(`evt_${badId.slice(4)}`, new Date(at * 1000), received?.body ?? '');
  expect(received?.headers['webhook-signature']).toBe(signature);
  expect(await healthOf(bad)).toEqual({ failing: false, secret_unreadable: false });
  await receiver.close();
});

test('a run of Inngest records the attempt that cannot be signed and goes on', async () => {
  await modify(stage.webhook.applicationId);
  const [id = ''] = await stage.webhook.emit();
  expect(await attemptDue(dependenciesOf(stage.clock), stage.webhook.applicationId)).toBe(1);
  expect(await stage.webhook.attempts(id)).toMatchObject([{ error: 'secret_unreadable' }]);
});

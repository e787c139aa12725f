import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { endSecret } from '@/lib/webhooks/end-secret';
import { rotateEndpointSecret } from '@/lib/webhooks/endpoint';
import { readEndpoint } from '@/lib/webhooks/view';
import { deliverDue, dependenciesOf } from '@/tests/support/webhooks';
import { stageOfEachTest } from './stage';

const DAY = 86_400_000;
const stage = stageOfEachTest();

const verifies = (secret: string, at = -1) => {
  const one = stage.receiver.received.at(at);
  try {
    new Webhook(secret).verify(one?.body ?? '', one?.headers ?? {});
    return true;
  } catch {
    return false;
  }
};

async function deliverOne(): Promise<void> {
  await stage.webhook.emit(1, stage.clock.now());
  await deliverDue(dependenciesOf(stage.clock));
}

test('old and new secrets sign until the overlap ends, also over a second rotation', async () => {
  const { secret: second } = await rotateEndpointSecret(stage.clock.now(), {
    ...stage.webhook.target,
    overlapDays: 2,
  });
  await deliverOne();
  expect([verifies(stage.webhook.secret), verifies(second)]).toEqual([true, true]);
  stage.clock.advance(DAY);
  const { secret: third } = await rotateEndpointSecret(stage.clock.now(), {
    ...stage.webhook.target,
    overlapDays: 7,
  });
  const signatures = async () => {
    await deliverOne();
    return stage.receiver.received.at(-1)?.headers['webhook-signature']?.split(' ').length;
  };
  expect(await signatures()).toBe(3);
  stage.clock.advance(DAY);
  expect(await signatures()).toBe(2);
  stage.clock.advance(6 * DAY);
  expect(await signatures()).toBe(1);
  const { headers = {} as Record<string, string>, body = '' } = stage.receiver.received.at(-1) ?? {};
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  expect(headers['webhook-signature']).toBe(new Webhook(third).sign(headers['webhook-id'] ?? '', at, body));
});

test('without an overlap the old secret is invalid at once', async () => {
  const { secret } = await rotateEndpointSecret(stage.clock.now(), { ...stage.webhook.target, overlapDays: 0 });
  await deliverOne();
  expect([verifies(stage.webhook.secret), verifies(secret)]).toEqual([false, true]);
});

test('at most five secrets are valid', async () => {
  for (let i = 0; i < 4; i += 1)
    await rotateEndpointSecret(stage.clock.now(), { ...stage.webhook.target, overlapDays: 7 });
  const again = (overlapDays: number) =>
    rotateEndpointSecret(stage.clock.now(), { ...stage.webhook.target, overlapDays });
  await expect(again(1)).rejects.toMatchObject({ code: 'too_many_secrets' });
  await again(0);
  stage.clock.advance(7 * DAY);
  await again(1);
});

test.each([-1, 8, 1.5, Number.NaN])('an overlap of %f days is refused', async (overlapDays) => {
  const rotating = rotateEndpointSecret(stage.clock.now(), { ...stage.webhook.target, overlapDays });
  await expect(rotating).rejects.toMatchObject({ fields: [{ path: 'overlap_days' }] });
});

test('revokes an older secret and audits it; the others remain valid', async () => {
  const target = { ...stage.webhook.target, overlapDays: 7 };
  const { secret: second } = await rotateEndpointSecret(stage.clock.now(), target);
  const { secret: third } = await rotateEndpointSecret(stage.clock.now(), { ...target, overlapDays: 2 });
  const { version } = await endSecret(stage.clock.now(), stage.webhook.target, 1);
  await deliverOne();
  expect([stage.webhook.secret, second, third].map((secret) => verifies(secret))).toEqual([false, true, true]);
  const view = await readEndpoint(stage.clock.now(), stage.webhook.target);
  expect(view).toMatchObject({ version, secrets: [{ number: 3, expires_at: null }, { number: 2 }] });
  const entries = await db().auditLog.findMany({
    where: { action: 'webhook.secret_ended', tenantId: stage.webhook.tenant.id },
  });
  const object = { objectKind: 'webhook_endpoint', objectId: stage.webhook.applicationId };
  expect(entries).toMatchObject([{ ...object, actorId: stage.webhook.target.actor.id, before: { secret: 1 } }]);
});

test('does not revoke the current secret, an expired one, or one of another tenant', async () => {
  const { target } = stage.webhook;
  const current = { code: 'invalid_request', fields: [{ path: 'number' }] };
  await expect(endSecret(stage.clock.now(), target, 1)).rejects.toMatchObject(current);
  await rotateEndpointSecret(stage.clock.now(), { ...target, overlapDays: 1 });
  await expect(endSecret(stage.clock.now(), target, 2)).rejects.toMatchObject(current);
  await expect(endSecret(stage.clock.now(), target, 3)).rejects.toMatchObject({ code: 'not_found' });
  const stranger = { ...target, tenantId: 'ten_other' };
  await expect(endSecret(stage.clock.now(), stranger, 1)).rejects.toMatchObject({ code: 'not_found' });
  stage.clock.advance(DAY);
  await expect(endSecret(stage.clock.now(), target, 1)).rejects.toMatchObject({ code: 'not_found' });
  expect(
    await db().auditLog.count({ where: { action: 'webhook.secret_ended', tenantId: stage.webhook.tenant.id } }),
  ).toBe(0);
  await deliverOne();
  expect(stage.receiver.received).toHaveLength(1);
});

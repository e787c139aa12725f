import { randomUUID } from 'node:crypto';
import { BASE_PATH, runOwnerAction, setTestClock } from '@/lib/contract/operations';
import { post } from './bookings';
import { type Client, createClient } from './client';
import { sharedServer } from './shared';

export const DAY = 86_400;
const CLOCK = BASE_PATH + setTestClock.path;
const OWNER_ACTIONS = BASE_PATH + runOwnerAction.path;

/** The calls of an application that exist only in TEST. */
export function sandboxOf(key: string, client: Client = createClient({ origin: sharedServer().origin, key })) {
  const clock = (body: object, idempotencyKey: string = randomUUID()) =>
    post(client, CLOCK, setTestClock, body, { key: idempotencyKey });
  return {
    clock,
    advance: (seconds: number) => clock({ advance_seconds: seconds }),
    backToRealTime: () => clock({ real_time: true }),
    act: (body: object, idempotencyKey: string = randomUUID()) =>
      post(client, OWNER_ACTIONS, runOwnerAction, body, { key: idempotencyKey }),
  };
}

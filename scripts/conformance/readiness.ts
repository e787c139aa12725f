import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Readiness, readinessData } from '@/lib/contract/readiness';
import type { Result } from './report';
import type { Wire } from './wire';

/** Milliseconds until the server has written all requests into its log (architecture 6). */
const LOGGED = 500;

type Certified = { readiness: Readiness; certificate: string };

/**
 * Reports a run to the server, and prints the readiness of the application (contract B21). A server without it, such as
 * one of an earlier version, changes nothing about the result of the run: returns null.
 */
export async function reportReadiness(
  wire: Wire,
  { passed, failed, skipped, hostile }: Result,
  say: (line: string) => void,
): Promise<Certified | null> {
  await delay(LOGGED);
  const calls = wire.calls - wire.badKeys + (hostile?.requests ?? 0);
  const report = await wire
    .send('/test/conformance', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ first_request_id: wire.firstRequestId, passed, failed, skipped: skipped.length, calls }),
    })
    .catch(() => null);
  const reply = await wire.send('/test/readiness').catch(() => null);
  const parsed = readinessData.safeParse(reply?.json?.data);
  if (report?.status !== 200 || !parsed.success) {
    say('\nThe server has not recorded this run, so it is not in the readiness of the application.');
    return null;
  }
  const { criteria, met, application } = parsed.data.readiness;
  say(`\nReadiness of ${application.name}, from requests of its own code: ${met} of ${criteria.length}`);
  for (const { criterion, state, at } of criteria) say(`  ${state.padEnd(8)}${criterion}${at ? ` (${at})` : ''}`);
  return parsed.data;
}

import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { Call } from '@/lib/http/partner-api/call';
import { awaitBegin, beginWork } from '@/lib/http/partner-api/work';
import { beginFile } from '../../support/fresh-process';

beforeAll(() => beginFile({ DATABASE_URL: 'postgresql://unused@127.0.0.1:1/unused', SECRET_KEY: 'x'.repeat(32) }));

/** Begins requests of an application until one is refused. Returns the number of accepted requests. */
function accepted(applicationId: string, method: string): number {
  for (let count = 0; ; count++) {
    const refusal = beginWork({ method } as Call, { applicationId });
    if (!refusal) continue;
    expect(refusal).toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
    return count;
  }
}

test('work that begins after the response has been sent ends at once', async () => {
  for (let count = 0; count < 300; count++) {
    expect(beginWork({ method: 'POST', responded: true } as Call, { applicationId: 'late' })).toBeNull();
    await setImmediate();
  }
});

test('one application has 160 writes in flight, and each further one less, but never none', () => {
  const writes = Array.from({ length: 6 }, (_, index) => accepted(`app_${index}`, 'POST'));
  expect(writes[0]).toBe(160);
  expect(writes).toEqual([...writes].sort((a, b) => b - a));
  expect(accepted('quiet', 'GET')).toBeGreaterThan(20);
});

test('a tenant with many requests of many applications leaves each turn of the event loop to others', async () => {
  const begun: string[] = [];
  const begin = async (tenantId: string, applicationId: string) => {
    await awaitBegin({} as Call, { applicationId, tenantId });
    begun.push(tenantId);
  };
  const busy = Array.from({ length: 200 }, (_, index) => begin('busy', `app_${index % 20}`));
  const quiet = begin('quiet', 'app_quiet');
  await quiet;
  expect(begun.filter((tenant) => tenant === 'busy').length).toBeLessThan(20);
  await Promise.all(busy);
  expect(begun).toHaveLength(201);
});

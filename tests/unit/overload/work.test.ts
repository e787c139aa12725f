import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Call } from '@/lib/http/partner-api/call';
import { awaitBegin, awaitWrite, beginWork } from '@/lib/http/partner-api/work';
import { beginFile } from '../../support/fresh-process';

beforeEach(() => beginFile({ DATABASE_URL: 'postgresql://unused@127.0.0.1:1/unused', SECRET_KEY: 'x'.repeat(32) }));

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

describe('the writes of an application beyond its connections', () => {
  /** Begins a write. `outcome` becomes its refusal, null if it runs, and stays undefined while it waits. */
  function write(applicationId: string) {
    const call = { method: 'POST', endWork: null, responded: false } as unknown as Call;
    const state: { outcome?: unknown; call: Call; end: () => void } = {
      call,
      end: () => {
        call.responded = true;
        call.endWork?.();
      },
    };
    const refusal = beginWork(call, { applicationId });
    if (refusal) state.outcome = refusal;
    else void awaitWrite(call, { applicationId }).then((outcome) => Object.assign(state, { outcome }));
    return state;
  }

  const running = (all: { outcome?: unknown }[]) => all.flatMap(({ outcome }, i) => (outcome === null ? [i] : []));

  test('run in turn, and all of a burst run', async () => {
    const all = Array.from({ length: 160 }, () => write('burst'));
    await setImmediate();
    expect(running(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    all[3]?.end();
    all[5]?.end();
    await setImmediate();
    expect(running(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (let i = 0; i < 160; i++) {
      const one = all.find(({ outcome, call }) => outcome === null && !call.responded);
      one?.end();
      await setImmediate();
    }
    expect(running(all)).toHaveLength(160);
  });

  test('are refused oldest first at the bound, and one that was answered meanwhile takes no place', async () => {
    const all = Array.from({ length: 160 }, () => write('flood'));
    await setImmediate();
    all[8]?.end();
    await setImmediate();
    all.push(...Array.from({ length: 4 }, () => write('flood')));
    await setImmediate();
    expect(all.flatMap(({ outcome }, i) => (outcome ? [i] : []))).toEqual([9, 10, 11]);
    expect(all[9]?.outcome).toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
    expect(beginWork({ method: 'GET' } as Call, { applicationId: 'flood' })).toMatchObject({ retryAfter: 1 });
    all[0]?.end();
    await setImmediate();
    expect(running(all)).toContain(12);
  });

  test('are refused past one that was answered in the same turn of the event loop, whose place is not free yet', async () => {
    const all = Array.from({ length: 160 }, () => write('turn'));
    await setImmediate();
    all[8]?.end();
    write('turn');
    await setImmediate();
    expect(all.flatMap(({ outcome }, i) => (outcome ? [i] : []))).toEqual([9]);
  });
});

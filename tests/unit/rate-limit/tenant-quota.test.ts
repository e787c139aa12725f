import { beforeAll, expect, test } from 'vitest';
import type { Policy } from '@/lib/access/applications/policy';
import { checkRateLimit } from '@/lib/http/partner-api/admission';
import type { Call } from '@/lib/http/partner-api/call';
import { beginFile } from '../../support/fresh-process';

beforeAll(() => beginFile({ DATABASE_URL: 'postgresql://unused@127.0.0.1:1/unused', SECRET_KEY: 'x'.repeat(32) }));

/** Returns a function that counts a request of one application, and tells whether it is accepted. */
function caller(limits: Pick<Policy, 'applicationId' | 'tenantId' | 'quota' | 'tenantQuota'>) {
  return async () => {
    const call = {} as Call;
    const refusal = await checkRateLimit(call, limits as Policy);
    return [refusal === null, call.quota?.limit, call.quota?.remaining];
  };
}

test('a request is refused if only the quota of the tenant is exceeded, also with the last of its own quota', async () => {
  const shared = { tenantId: 'tnt_one', tenantQuota: 3 };
  const other = caller({ applicationId: 'app_other', quota: 10, ...shared });
  const own = caller({ applicationId: 'app_own', quota: 2, ...shared });
  expect(await other()).toEqual([true, 3, 2]);
  expect(await own()).toEqual([true, 2, 1]);
  expect(await other()).toEqual([true, 3, 0]);
  expect(await own()).toEqual([false, 3, 0]);
});

test('a request above the quota of its application does not count against the quota of the tenant', async () => {
  const shared = { tenantId: 'tnt_two', tenantQuota: 3 };
  const own = caller({ applicationId: 'app_greedy', quota: 1, ...shared });
  expect([await own(), await own(), await own()]).toEqual([
    [true, 1, 0],
    [false, 1, 0],
    [false, 1, 0],
  ]);
  const other = caller({ applicationId: 'app_modest', quota: 10, ...shared });
  expect(await other()).toEqual([true, 3, 1]);
});

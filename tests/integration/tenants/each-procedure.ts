import { request } from 'undici';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { sharedServer } from '@/tests/support/shared';
import { PROCEDURES } from '../isolation/inputs';

/** The largest batch that the server accepts. */
const BATCH = 10;

type Result = { error?: { data: { code: string; httpStatus: number; fields: unknown[] } } };

/** Calls every procedure for a tenant, with an empty input and in batches. Returns the result of each. */
export async function callEach(cookie: string, tenantId: string): Promise<Map<string, Result>> {
  const headers = {
    ...{ cookie, [TENANT_HEADER]: tenantId },
    ...{ 'x-partner-booking': 'control-center', 'content-type': 'application/json' },
  };
  const results = new Map<string, Result>();
  for (const type of ['query', 'mutation']) {
    const paths = PROCEDURES.filter((one) => one.type === type).map(({ path }) => path);
    while (paths.length > 0) {
      const batch = paths.splice(0, BATCH);
      const inputs = JSON.stringify({ ...batch.map(() => ({})) });
      const url = `${sharedServer().origin}/api/trpc/${batch.join()}?batch=1`;
      const { body } = await (type === 'query'
        ? request(`${url}&input=${encodeURIComponent(inputs)}`, { headers })
        : request(url, { method: 'POST', headers, body: inputs }));
      const all = (await body.json()) as Result[];
      for (const [i, path] of batch.entries()) results.set(path, all[i] ?? {});
    }
  }
  return results;
}

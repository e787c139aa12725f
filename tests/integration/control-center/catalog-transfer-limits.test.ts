import { afterEach, expect, test } from 'vitest';
import { runImport } from '@/lib/booking/catalog/transfer/run';
import { importDocument, setImportThread } from '@/lib/booking/catalog/transfer/thread';
import { makePerson } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';

/** Maximum processor time, in milliseconds, of a document beyond a limit. The start of a thread takes far longer. */
const MAX_CPU = 20;
const HEAD = '{"format":"partner-booking-catalog/1","services":[{"id":"cut","name":{"en":';

afterEach(() => setImportThread(runImport));

test.each([
  ['a name', `${HEAD}"${'a'.repeat(300_000)}"}}]}`, /^\$\.services\[0\]\.name\.en$/, /too long: line 1, column \d+$/],
  [
    'a late name',
    `${HEAD}"a"},${' '.repeat(100_000)}"x":"${'a'.repeat(300_000)}"}]}`,
    /^\$$/,
    /too long: line 1, column \d+$/,
  ],
  ['levels', `${HEAD}${'['.repeat(300_000)}`, /^\$$/, /nested too deeply/],
  ['entries', `${HEAD}[${'0,'.repeat(300_000)}0]}}]}`, /^\$$/, /more than 5000 entries/],
  ['bytes', `${HEAD}"${'a'.repeat(17 * 1024 * 1024)}"}}]}`, /^\$$/, /at most 16 MiB/],
])('a large document beyond the limit of %s is refused without a thread', async (_, text, path, message) => {
  const tenant = await makeTenant();
  const person = await makePerson(tenant.id);
  setImportThread(() => Promise.reject(new Error('a thread was started')));
  const by = { tenantId: tenant.id, actor: { kind: 'owner', id: person.userId, tenantId: tenant.id } } as const;
  const check = () => importDocument({ now: new Date(), by, requestId: 'req_1', text, basis: null });
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = process.cpuUsage();
    const { issues, plan } = await check();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    expect(plan).toBeNull();
    expect(issues).toEqual([{ path: expect.stringMatching(path), message: expect.stringMatching(message) }]);
  }
  expect(least).toBeLessThan(MAX_CPU);
});

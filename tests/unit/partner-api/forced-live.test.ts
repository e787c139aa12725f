import { beforeAll, expect, test } from 'vitest';
import type { PartnerWrite } from '@/lib/booking/bookings/change';
import { FORCED } from '@/lib/contract/forced';
import { beginCall } from '@/lib/http/partner-api/call';
import { forcedEffect } from '@/lib/http/partner-api/write';

// Sets the environment before the first test. The settings are read from it only once, when they are first used.
beforeAll(() => {
  process.env.ENVIRONMENT = 'LIVE';
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

test('in LIVE, no external reference forces anything', async () => {
  const incoming = { begun: 0, headers: {}, method: 'POST', path: '/', search: '', address: '127.0.0.1' };
  const call = beginCall({ ...incoming, readBytes: async () => new Uint8Array() }, new Date());
  // In LIVE, `forcedEffect` must not read the fields of the write, so an empty object is enough.
  const write = Object.freeze({}) as PartnerWrite;
  for (const word of FORCED) expect(await forcedEffect(call, write, `test:${word}`)).toBeNull();
});

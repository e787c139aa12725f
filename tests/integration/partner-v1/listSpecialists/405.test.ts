import { test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { SPECIALISTS } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { expectMethodRefused, methodsOtherThan } from '../methods';

test.for(methodsOtherThan('GET'))('returns 405 with Allow: GET for %s', async (method) => {
  const { key } = await makeBusiness();
  const reply = await createClient({ origin: sharedServer().origin, key })(SPECIALISTS, { method });
  expectMethodRefused(reply, 'GET');
});

import { beforeAll, expect, test } from 'vitest';
import { checkKeyFormat, generateKey } from '@/lib/access/applications/key-format';

// Each test file reads the settings only once, so the test of LIVE needs a separate file.
beforeAll(() => {
  process.env.ENVIRONMENT = 'LIVE';
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

test('LIVE generates LIVE keys and recognizes TEST keys as keys of the other environment', () => {
  const made = generateKey();
  expect(made).toMatch(/^pbk_live_[0-9A-Za-z]{38}$/);
  expect(checkKeyFormat(made)).toBe('well_formed');
  expect(checkKeyFormat(made.replace('pbk_live_', 'pbk_test_'))).toBe('wrong_environment');
});

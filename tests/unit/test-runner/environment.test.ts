import { expect, test } from 'vitest';
import { nodeOptions, withoutSettings } from '@/scripts/test/environment';

test('settings of the caller, also those in files, do not reach the servers under test', () => {
  const kept = { PATH: '/bin', TMPDIR: '/tmp', SOAK_SHARE: '0.1', WORKERS: '2' };
  const settings = {
    NODE_ENV: 'production',
    ENVIRONMENT: 'LIVE',
    DATABASE_URL_FILE: '/run/secrets/database',
    SECRET_KEY_PREVIOUS_FILE: '/run/secrets/previous',
    METRICS_TOKEN: 'a token of the caller',
    TRUSTED_PROXIES: '2',
  };
  expect(withoutSettings({ ...kept, ...settings })).toEqual(kept);
});

test('processes start with the options of the caller and with those of a test run', () => {
  expect(nodeOptions({ NODE_OPTIONS: '--trace-warnings' })).toMatch(/^--trace-warnings --require ".+\.cjs"$/);
  expect(nodeOptions({})).toMatch(/^--require /);
});

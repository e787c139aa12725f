import { expect, test } from 'vitest';
import { cookieName } from '@/lib/access/owners/cookies';
import { resetSingleton } from '@/lib/platform/singleton';

test.each([
  ['https://booking.example', '__Host-partner-booking-live.session'],
  ['http://booking.internal', 'partner-booking-live.session'],
])('at %s, the session cookie is %s', (PUBLIC_ORIGIN, name) => {
  resetSingleton('env');
  const required = { DATABASE_URL: 'postgresql://unused@127.0.0.1:1/unused', SECRET_KEY: 'x'.repeat(32) };
  Object.assign(process.env, { ...required, ENVIRONMENT: 'LIVE', PUBLIC_ORIGIN });
  expect(cookieName('session')).toBe(name);
});

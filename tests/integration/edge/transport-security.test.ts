import { afterEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '@/tests/support/server';

let server: TestServer | null = null;

afterEach(() => server?.stop());

test.each([
  [{ PUBLIC_ORIGIN: 'https://booking.example', HSTS_SUBDOMAINS: '1' }, 'max-age=31536000; includeSubDomains'],
  [{ PUBLIC_ORIGIN: 'https://booking.example' }, 'max-age=31536000'],
  [{ HSTS_SUBDOMAINS: '1' }, null],
])('with %j, pages state Strict-Transport-Security %s', async (env, header) => {
  server = await startServer({ env });
  const { headers } = await fetch(`http://127.0.0.1:${new URL(server.origin).port}/sign-in`);
  expect(headers.get('strict-transport-security')).toBe(header);
});

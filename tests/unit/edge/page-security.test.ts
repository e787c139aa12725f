import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { securePage } from '@/lib/http/edge/page';
import { resetSingleton } from '@/lib/platform/singleton';

test.each([
  [{ PUBLIC_ORIGIN: 'https://booking.example', HSTS_SUBDOMAINS: '1' }, 'max-age=31536000; includeSubDomains'],
  [{ PUBLIC_ORIGIN: 'https://booking.example' }, 'max-age=31536000'],
  [{ HSTS_SUBDOMAINS: '1' }, undefined],
])('with %j, pages state Strict-Transport-Security %s', (settings: Record<string, string>, header) => {
  const required = { DATABASE_URL: 'postgresql://unused', SECRET_KEY: 's'.repeat(32) };
  for (const [name, value] of Object.entries({ ...required, ...settings })) vi.stubEnv(name, value);
  resetSingleton('env');
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  securePage({ req, res } as Parameters<typeof securePage>[0], '/sign-in');
  vi.unstubAllEnvs();
  expect(res.getHeader('strict-transport-security')).toBe(header);
});

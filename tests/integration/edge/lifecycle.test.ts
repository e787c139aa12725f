import { expect, it } from 'vitest';
import { startServer } from '../../support/server';
import { expectContract, open } from './raw';

const GET = 'GET /api/partner/v1/catalog HTTP/1.1\r\nHost: localhost\r\n\r\n';

it('ignores SIGINT, which the supervisor handles, and ends on SIGTERM despite open connections', async () => {
  const server = await startServer();
  const [idle, silent, half] = await Promise.all([open(server.port), open(server.port), open(server.port)]);
  half.send('GET /api/partner/v1/catalog HTTP/1.1\r\nHos');
  process.kill(server.pid, 'SIGINT');
  idle.send(GET);
  expectContract(await idle.answer(), 401, 'invalid_api_key');
  const startedAt = performance.now();
  const stopped = server.stop();
  await Promise.all([idle.closed(), silent.closed(), half.closed()]);
  // The process itself may take longer: it first ends the jobs that began with its start.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  await stopped;
});

import { request } from 'undici';
import { expect, test } from 'vitest';
import { ownDatabase } from '@/tests/support/own-database';
import { startServer } from '@/tests/support/server';

test('no log of a server contains a token', async () => {
  const database = await ownDatabase();
  const server = await startServer({ databaseUrl: database.url, env: { LOG_LEVEL: 'debug' } });
  const token = 'Secret-token_'.padEnd(43, 'x');
  const base = `http://127.0.0.1:${server.port}/api/calendar/${token}`;
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    const { body } = await request(base, { method, headers: { referer: base, origin: base } });
    await body.dump();
  }
  // A table that is gone makes the lookup fail, which is logged.
  await database.query('ALTER TABLE calendar_feeds RENAME TO calendar_feeds_gone');
  const failed = await request(base, { headers: { referer: base } });
  await failed.body.dump();
  expect(failed.statusCode).toBe(503);
  const { rows } = await database.query('SELECT count(*)::int AS count FROM request_log');
  expect(rows).toEqual([{ count: 0 }]);
  await server.stop();
  await database.drop();
  const output = server.output() + server.errors();
  expect(output).toContain('unexpected failure');
  expect(output).not.toContain('Secret-token');
  // The response names the line of the log.
  expect(output).toContain(`"request_id":"${failed.headers['x-request-id']}"`);
});

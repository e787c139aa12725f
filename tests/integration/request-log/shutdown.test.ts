import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { rowOf, rowsOf } from './rows';

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({ databaseUrl: database.url });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

test('while the database is unavailable, entries go to standard error; later ones go to the table again', async () => {
  const { key, tenant } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  expect((await client(CATALOG)).status).toBe(200);
  await database.shut();
  const replies = await Promise.all(Array.from({ length: 10 }, () => client(CATALOG)));
  const nobody = await createClient({ origin: server.origin })(CATALOG);
  for (const { requestId, status } of [...replies, nobody]) {
    const find = async () =>
      server
        .errors()
        .split('\n')
        .find((line) => line.includes('not written') && line.includes(requestId));
    const line = JSON.parse((await until(find, (found) => found !== undefined)) ?? '');
    expect(line.request).toMatchObject({ request_id: requestId, status });
  }
  expect(server.errors()).not.toContain(key.slice(9));
  await database.open();
  const served = await until(
    () => client(CATALOG),
    ({ status }) => status === 200,
  );
  expect(await rowOf(served.requestId)).toMatchObject({ tenant_id: tenant.id, status: 200 });
});

// This test must be the last test, because it stops the server.
test('buffered entries are written before the server exits', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  const replies = await Promise.all(Array.from({ length: 30 }, () => client(CATALOG)));
  await server.stop();
  for (const { requestId } of replies) expect(await rowsOf(requestId)).toHaveLength(1);
});

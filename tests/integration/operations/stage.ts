import { afterAll, beforeAll } from 'vitest';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { warmUp } from '@/tests/support/storm';
import { startTcpProxy, type TcpProxy } from '@/tests/support/tcp-proxy';

/** A server whose database can be shut, locked, or made to hang. */
export type Stage = { database: OwnDatabase; proxy: TcpProxy; server: TestServer };

/** The server's connections to its database, so that the waiting writes of concurrent tests have one each. */
export const POOL = 16;

/** In seconds. */
export const DRAIN_DELAY = 2;

export function stageOfFile(): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.database = await ownDatabase();
    stage.proxy = await startTcpProxy(stage.database.url);
    stage.server = await startServer({
      databaseUrl: stage.proxy.url,
      env: {
        DATABASE_POOL: String(POOL),
        DRAIN_DELAY: String(DRAIN_DELAY),
        LOG_LEVEL: 'debug',
        WEBHOOKS_ALLOW_LOOPBACK: '1',
      },
    });
    await warmUp(stage.server.origin);
  });
  afterAll(async () => {
    await stage.proxy?.stop();
    await stage.server?.stop();
    await stage.database.drop();
  });
  return stage;
}

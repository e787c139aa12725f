import { startServer } from './server';

export default async function setup(): Promise<() => Promise<void>> {
  const server = await startServer({ env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
  process.env.E2E_ORIGIN = server.origin;
  process.env.E2E_DATABASE_URL = server.databaseUrl;
  return server.stop;
}

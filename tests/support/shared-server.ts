import type { TestProject } from 'vitest/node';
import { startServer } from './server';

/** Starts the server that integration and contract tests share. Requires TEST_DATABASE_URL and a build. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer({ env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
  project.provide('shared', { origin: server.origin, databaseUrl: server.databaseUrl });
  return server.stop;
}

import type { TestProject } from 'vitest/node';
import { recordNotRun } from './programs';
import { startServer } from './server';
import { SOAK } from './soak';

/** In `tests/integration/inngest/real.test.ts`. */
const REAL_INNGEST_TESTS = 2;
const PATRONI_TESTS = 4;

/** Requires TEST_DATABASE_URL and a build. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!SOAK) recordNotRun(PATRONI_TESTS, 'only npm run test:soak starts Patroni');
  if (!process.env.INNGEST_TEST_URL) recordNotRun(REAL_INNGEST_TESTS, 'INNGEST_TEST_URL is not set');
  const server = await startServer({ env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
  project.provide('shared', { origin: server.origin, databaseUrl: server.databaseUrl });
  return server.stop;
}

import type { TestProject } from 'vitest/node';
import { recordNotRun } from './programs';
import { startServer } from './server';

/** In `tests/integration/inngest/real.test.ts`. */
const REAL_INNGEST_TESTS = 2;

/** Requires TEST_DATABASE_URL and a build. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!process.env.INNGEST_TEST_URL) recordNotRun(REAL_INNGEST_TESTS, 'INNGEST_TEST_URL is not set');
  const server = await startServer({ env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
  project.provide('shared', { origin: server.origin, databaseUrl: server.databaseUrl });
  return server.stop;
}

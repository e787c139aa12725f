import type { TestProject } from 'vitest/node';
import { allLanguages, recordNotRun } from './programs';
import { startServer } from './server';
import { SOAK } from './soak';

/** In `tests/integration/inngest/real.test.ts`. */
const REAL_INNGEST_TESTS = 2;
const PATRONI_TESTS = 4;
/** In `tests/integration/history`, `cache/restart`, `faults/calendar-kill`, `start/dying-database`, and `start/kill-storm`. */
const FAULT_TESTS = 8;
/** In `tests/integration/docs/packages.test.ts`. */
const PACKAGE_TESTS = 6;

/** Requires TEST_DATABASE_URL and a build. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!SOAK) recordNotRun(PATRONI_TESTS, 'only npm run test:soak starts Patroni');
  if (!allLanguages) recordNotRun(PACKAGE_TESTS, 'npm run check:clients tests the packages of the clients');
  if (!SOAK) recordNotRun(FAULT_TESTS, 'only npm run test:soak injects these faults');
  if (!process.env.INNGEST_TEST_URL) recordNotRun(REAL_INNGEST_TESTS, 'INNGEST_TEST_URL is not set');
  const server = await startServer({ env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
  project.provide('shared', { origin: server.origin, databaseUrl: server.databaseUrl });
  return server.stop;
}

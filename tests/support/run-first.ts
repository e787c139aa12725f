/**
 * Integration tests that run before all others, because they take ten seconds or more. Without this list, Vitest would
 * run them last, because it runs large files first and these files are small. At the end of the run, no other tests
 * would be left to run in parallel with them.
 */
export const RUN_FIRST = [
  'start/dev',
  'operations/health',
  'faults/hang',
  'database/new-migration',
  'faults/postgres-restart',
  'faults/pool',
  'database/upgrade',
  'faults/kill',
  'faults/idle-transaction',
  'two-processes/drain',
  'concurrency/interleavings',
  'two-processes/jobs',
  'two-processes/guide',
  'request-log/shutdown',
].map((name) => `tests/integration/${name}.test.ts`);

/**
 * Integration tests that run before all others. Vitest runs large files first. These files are small but take ten
 * seconds or more. At the end of a run, they would run alone.
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

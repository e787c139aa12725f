/**
 * Small integration test files that take ten seconds or more. Vitest starts with large files. Without this list,
 * these small files would run last, when no other file is left to run in parallel.
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
  'tenants/move-command',
  'request-log/shutdown',
].map((name) => `tests/integration/${name}.test.ts`);

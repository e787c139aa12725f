/**
 * Small files of ten seconds or more. Vitest starts with large files, so these would run last, without others in
 * parallel.
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
  'conformance/lenient',
  'concurrency/one-slot',
  'faults/commit',
  'history/history',
  'isolation/procedures',
  'start/killed-seeding',
  'start/two-roles',
  'start/dying-database',
  'webhooks/worker',
  'webhooks/dead-receivers',
].map((name) => `tests/integration/${name}.test.ts`);

/**
 * Small files of ten seconds or more. Vitest starts with large files, so these would run last, without others in
 * parallel.
 */
export const RUN_FIRST = [
  'operations/outage-and-stop',
  'faults/postgres-restart',
  'faults/pool',
  'database/upgrade',
  'faults/kill',
  'two-processes/pair',
  'concurrency/interleavings',
  'two-processes/guide',
  'conformance/conformance',
  'concurrency/one-slot',
  'faults/commit',
  'isolation/twins',
  'start/killed-seeding',
  'start/two-roles',
  'webhooks/worker',
  'webhooks/dead-receivers',
].map((name) => `tests/integration/${name}.test.ts`);

import type pg from 'pg';

// Vitest runs several test files in one process, because importing the source code again for each file would take
// longer than the tests of most files. Each file leaves settings and singletons behind in this process, so both are
// reset before the next file.

const ENVIRONMENT = Symbol.for('partner-booking.test-environment');
const SINGLETONS = Symbol.for('partner-booking.singletons');

type Globals = { [ENVIRONMENT]?: NodeJS.ProcessEnv; [SINGLETONS]?: Map<string, unknown> };

/** Restores this process's original environment, adds `settings` to it, and drops the singletons of earlier files. */
export function beginFile(settings: Record<string, string>): void {
  const globals = globalThis as Globals;
  globals[ENVIRONMENT] ??= { ...process.env };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, globals[ENVIRONMENT], settings);
  const store = globals[SINGLETONS];
  // Closes the pool that an earlier file left open. Errors are ignored, because the database of that pool may have been
  // dropped.
  (store?.get('pool') as pg.Pool | undefined)?.end().catch(() => {});
  store?.clear();
}

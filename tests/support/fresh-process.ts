import type pg from 'pg';

// Vitest runs several test files in one process, because importing the source code again would take longer than running
// most test files. Before each file, the settings and singletons that the previous file left behind are reset.

const ENVIRONMENT = Symbol.for('partner-booking.test-environment');
const SINGLETONS = Symbol.for('partner-booking.singletons');

type Globals = { [ENVIRONMENT]?: NodeJS.ProcessEnv; [SINGLETONS]?: Map<string, unknown> };

/**
 * Resets the environment variables to their values before the first test file, adds `settings`, and drops all
 * singletons.
 */
export function beginFile(settings: Record<string, string>): void {
  const globals = globalThis as Globals;
  globals[ENVIRONMENT] ??= { ...process.env };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, globals[ENVIRONMENT], settings);
  const store = globals[SINGLETONS];
  // Closes the pool of an earlier test file, whose database may have been dropped.
  (store?.get('pool') as pg.Pool | undefined)?.end().catch(() => {});
  store?.clear();
}

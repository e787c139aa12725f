import type pg from 'pg';

// Vitest runs several test files in one process, because importing the source code again takes longer than most files.
// The settings and singletons of the previous file are reset.

const ENVIRONMENT = Symbol.for('partner-booking.test-environment');
const SINGLETONS = Symbol.for('partner-booking.singletons');

type Globals = { [ENVIRONMENT]?: NodeJS.ProcessEnv; [SINGLETONS]?: Map<string, unknown> };

/** Resets the environment variables, adds `settings`, and drops all singletons. */
export function beginFile(settings: Record<string, string>): void {
  const globals = globalThis as Globals;
  globals[ENVIRONMENT] ??= { ...process.env };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, globals[ENVIRONMENT], settings);
  const store = globals[SINGLETONS];
  // The database of an earlier test file may have been dropped.
  (store?.get('pool') as pg.Pool | undefined)?.end().catch(() => {});
  store?.clear();
}

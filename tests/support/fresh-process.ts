import type pg from 'pg';

// Test files share worker processes, because importing the application anew for each file takes longer than most files'
// tests. A file leaves settings and singletons behind in its process, so both are reset for each file.

const ENVIRONMENT = Symbol.for('partner-booking.test-environment');
const SINGLETONS = Symbol.for('partner-booking.singletons');

type Globals = { [ENVIRONMENT]?: NodeJS.ProcessEnv; [SINGLETONS]?: Map<string, unknown> };

/** Restores the environment of this process, adds the settings, and drops every singleton of earlier files. */
export function beginFile(settings: Record<string, string>): void {
  const globals = globalThis as Globals;
  globals[ENVIRONMENT] ??= { ...process.env };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, globals[ENVIRONMENT], settings);
  const store = globals[SINGLETONS];
  // A pool that an earlier file left open; its database may have been dropped.
  (store?.get('pool') as pg.Pool | undefined)?.end().catch(() => {});
  store?.clear();
}

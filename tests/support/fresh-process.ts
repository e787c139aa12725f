import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';

// Vitest runs several test files in one process, because importing the source code again takes longer than most files.
// The settings and singletons of the previous file are reset.

const ENVIRONMENT = Symbol.for('partner-booking.test-environment');
const SINGLETONS = Symbol.for('partner-booking.singletons');
const REUSABLE = Symbol.for('partner-booking.test-clients-are-reusable');

type Globals = {
  [ENVIRONMENT]?: NodeJS.ProcessEnv;
  [SINGLETONS]?: Map<string, unknown>;
  /** Whether the file has opened its database clients with the settings of `beginFile`, and has not closed them. */
  [REUSABLE]?: boolean;
};

/**
 * Changes settings within a file. Drops all singletons: work that the previous file left behind, such as a timer, may
 * have read the former settings already, and opened the former database.
 */
export function changeSettings(settings: Record<string, string>): void {
  Object.assign(process.env, settings);
  const globals = globalThis as Globals;
  globals[SINGLETONS]?.clear();
  globals[REUSABLE] = false;
}

/** Of the database. Opening connections and loading Prisma's WebAssembly take longer than most tests. */
const CLIENTS = ['pool', 'prisma', 'turn-ends'];

/** Vitest numbers the files in a variable. */
const settingsIn = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('VITEST')));

/**
 * Resets the environment variables, adds `settings`, and drops all singletons. Keeps the database clients until the
 * file first uses a database, because the file can select another one before.
 */
export function beginFile(settings: Record<string, string>): void {
  const globals = globalThis as Globals;
  globals[ENVIRONMENT] ??= { ...process.env };
  const wanted = { ...globals[ENVIRONMENT], ...settings };
  const isUnchanged = () => isDeepStrictEqual(settingsIn(process.env), settingsIn(wanted));
  const previous = globals[SINGLETONS];
  const isReusable = globals[REUSABLE] === true && isUnchanged();
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, wanted);
  const store = new Map<string, unknown>();
  globals[SINGLETONS] = store;
  globals[REUSABLE] = false;
  store.get = (name) => {
    if (CLIENTS.includes(name)) {
      store.get = Map.prototype.get;
      globals[REUSABLE] = isUnchanged();
      if (isReusable && isUnchanged())
        for (const client of CLIENTS.filter((one) => previous?.has(one))) store.set(client, previous?.get(client));
      // The database of an earlier test file may have been dropped.
      else (previous?.get('pool') as pg.Pool | undefined)?.end().catch(() => {});
    }
    return Map.prototype.get.call(store, name);
  };
  store.delete = (name) => {
    if (CLIENTS.includes(name)) globals[REUSABLE] = false;
    return Map.prototype.delete.call(store, name);
  };
}

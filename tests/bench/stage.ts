import { type Server, startServer } from '../../scripts/start/server';
import type { BenchDatabase, Business } from './database';
import { type LoadDriver, startLoad } from './load/driver';

/** Everything that a figure measures with. */
export type Stage = Business & {
  databaseUrl: string;
  load: LoadDriver['run'];
  /** Starts the one server process, after ending the one of the figure before. */
  serve: (options?: ServeOptions) => Promise<Server>;
  say: (line: string) => void;
};

type ServeOptions = {
  /** Bytes of the constant body that the bare route answers. */
  bareBytes?: number;
  /** Settings of its own. */
  environment?: Record<string, string>;
};

type StageOptions = { root: string; database: BenchDatabase; signal: AbortSignal; say: (line: string) => void };

/** Returns the stage and what takes it down. */
export function openStage({ root, database, signal, say }: StageOptions): { stage: Stage; close: () => Promise<void> } {
  const load = startLoad();
  let server: Promise<Server> | null = null;
  const stopServer = async () => {
    const running = await server?.catch(() => null);
    server = null;
    await running?.stop();
  };
  const serve = async ({ bareBytes = 0, environment = {} }: ServeOptions = {}) => {
    await stopServer();
    server = startServer(root, { ...serverEnvironment(bareBytes), ...environment }, signal);
    return server;
  };
  const close = async () => {
    await load.stop();
    await stopServer();
  };
  return { stage: { ...database.business, databaseUrl: database.url, load: load.run, serve, say }, close };
}

/** As a deployment has it, whatever the shell of the person who measures has set. */
function serverEnvironment(bareBytes: number): NodeJS.ProcessEnv {
  const unset = {
    PUBLIC_ORIGIN: '',
    DIRECT_DATABASE_URL: '',
    DATABASE_POOL: '',
    LOG_LEVEL: '',
    INSTANCES: '',
    TRUSTED_PROXIES: '',
  };
  return {
    ...process.env,
    ...unset,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    BENCH: '1',
    BENCH_BODY_BYTES: String(bareBytes),
  };
}

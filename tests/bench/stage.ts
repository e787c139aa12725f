import { SERVER_FILE } from '../../scripts/start/build';
import { type Server, startServer } from '../../scripts/start/server';
import type { BenchDatabase, Business } from './database';
import { type LoadDriver, startLoad } from './load';

/** What a measurement uses: business, database, server, and load process. */
export type Stage = Business & {
  databaseUrl: string;
  load: LoadDriver['run'];
  /** Stops the previous server process and starts a new one. */
  serve: (options?: ServeOptions) => Promise<Server>;
  /** Like `serve`, but the previous server continues to run in parallel with the new one. */
  serveBeside: (options?: ServeOptions) => Promise<Server>;
  /**
   * Stops the servers that `serve` and `serveBeside` started. Tables can be emptied only afterward, because a load does
   * not wait for the responses to its last requests.
   */
  stopServers: () => Promise<void>;
  log: (line: string) => void;
};

type ServeOptions = {
  /** Size in bytes of the response body of the bare route (`app/api/bench/bare`). */
  bareBytes?: number;
  /** Additional environment variables. */
  environment?: Record<string, string>;
};

type StageOptions = { root: string; database: BenchDatabase; signal: AbortSignal; log: (line: string) => void };

/**
 * Starts the load process. Returns the `Stage` for the measurements, and a function that stops the load process and all
 * servers.
 */
export function openStage({ root, database, signal, log }: StageOptions): { stage: Stage; close: () => Promise<void> } {
  const load = startLoad();
  const servers = new Map<string, Promise<Server>>();
  const stopServer = async (name: string) => {
    const running = await servers.get(name)?.catch(() => null);
    servers.delete(name);
    await running?.stop();
  };
  const serving =
    (name: string) =>
    async ({ bareBytes = 0, environment = {} }: ServeOptions = {}) => {
      await stopServer(name);
      const env = { ...serverEnvironment(bareBytes), ...environment };
      const server = startServer({ root, file: SERVER_FILE, env, signal, notice: 0 });
      servers.set(name, server);
      return server;
    };
  const stopServers = async () => {
    for (const name of [...servers.keys()]) await stopServer(name);
  };
  const close = async () => {
    await load.stop();
    await stopServers();
  };
  return {
    stage: {
      ...database.business,
      databaseUrl: database.url,
      load: load.run,
      serve: serving('first'),
      serveBeside: serving('second'),
      stopServers,
      log,
    },
    close,
  };
}

/** Returns the environment variables of a production server. Clears those that would affect the measurements. */
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

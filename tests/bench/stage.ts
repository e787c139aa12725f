import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SERVER_FILE } from '../../scripts/start/build';
import { type Server, startServer } from '../../scripts/start/server';
import type { BenchDatabase, Business } from './database';
import { type LoadDriver, startLoad } from './load/driver';

/** What a measurement uses: business, database, server, and load process. */
export type Stage = Business & {
  databaseUrl: string;
  /** The id of the main process of the database server. */
  databasePid: number;
  load: LoadDriver['run'];
  openLoad: LoadDriver['runOpen'];
  /** Stops the previous server process and starts a new one. */
  serve: (options?: ServeOptions) => Promise<Server>;
  /** Like `serve`, but the previous server continues to run in parallel with the new one. */
  serveBeside: (options?: ServeOptions) => Promise<Server>;
  /** Stops the servers that `serve` and `serveBeside` started, for example to close their database connections. */
  stopServers: () => Promise<void>;
  /** Starts a minimal `node:http` server, and stops the previous one. Returns its port and process id. */
  serveNode: (bodyBytes: number) => Promise<{ port: number; pid: number }>;
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
  let node: ReturnType<typeof fork> | null = null;
  const serveNode = async (bodyBytes: number) => {
    node?.disconnect();
    const file = fileURLToPath(new URL('node-http.ts', import.meta.url));
    node = fork(file, [String(bodyBytes)], { execArgv: ['--import', 'tsx'] });
    const [port] = (await once(node, 'message')) as [number];
    return { port, pid: node.pid ?? 0 };
  };
  const close = async () => {
    node?.disconnect();
    await load.stop();
    await stopServers();
  };
  return {
    stage: {
      ...database.business,
      databaseUrl: database.url,
      databasePid: database.pid,
      load: load.run,
      openLoad: load.runOpen,
      serve: serving('first'),
      serveBeside: serving('second'),
      stopServers,
      serveNode,
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

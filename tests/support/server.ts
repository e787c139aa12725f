import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createDatabase } from './database';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The factories in the test process also hash API keys with it. */
export const TEST_SECRET = 'a secret for tests only, never deployed';

/** With the young generation of `npm start`. With a smaller one, a server that lives for seconds collects garbage far more often. */
const PROGRAM = ['--min-semi-space-size=16', '.next/server.mjs'];

/** Characters of a server's output. The oldest are dropped first. */
const KEPT = 1_000_000;

export type TestServer = {
  origin: string;
  port: number;
  pid: number;
  databaseUrl: string;
  errors: () => string;
  output: () => string;
  ended: Promise<number | null>;
  /** With SIGTERM. Drops a database that was created for this server. */
  stop: () => Promise<void>;
  /** With SIGKILL. */
  kill: () => Promise<void>;
};

type Options = {
  env?: Record<string, string>;
  databaseUrl?: string;
  /** For Node. By default, the built server. */
  program?: string[];
};

/** On the given database or a new one. Resolves when the server listens. */
export async function startServer({ env = {}, databaseUrl, program = PROGRAM }: Options = {}): Promise<TestServer> {
  const own = databaseUrl ? null : await createDatabase();
  const url = databaseUrl ?? own?.url ?? '';
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ENVIRONMENT: 'TEST',
      DATABASE_URL: url,
      SECRET_KEY: TEST_SECRET,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let errors = '';
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT);
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const port = await readyPort(child, () => errors);
  const end = (signal: NodeJS.Signals) => async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    if (errors.includes('MaxListenersExceededWarning')) throw new Error(`the server leaks listeners: ${errors}`);
    if (signal === 'SIGTERM') await own?.drop();
  };
  return {
    origin: `http://localhost:${port}`,
    port,
    pid: child.pid ?? 0,
    databaseUrl: url,
    errors: () => errors,
    output: () => output,
    ended,
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
  };
}

async function readyPort(child: ChildProcess, errors: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { type?: string; port?: number }) => {
      if (message.type === 'ready' && message.port) resolve(message.port);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${errors()}`)));
  });
}

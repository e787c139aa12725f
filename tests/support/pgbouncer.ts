import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@/lib/operations/environment/connection';
import { freePort } from './free-port';

/** 1.21 or newer. */
export const PROGRAM = process.env.PGBOUNCER || 'pgbouncer';
const MAX_START = 15_000;

/** Leads through PgBouncer. */
export type PgBouncer = { url: string; stop: () => Promise<void> };

/**
 * With `deploy/pgbouncer/pgbouncer.ini` and the settings `changed`.
 * @throws Error if the program is not installed.
 */
export async function startPgBouncer(databaseUrl: string, changed: Record<string, string> = {}): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const name = target.pathname.slice(1);
  const directory = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  await chmod(directory, 0o755);
  const port = await freePort();
  const settings: Record<string, string> = {
    listen_port: String(port),
    auth_file: join(directory, 'userlist.txt'),
    // PgBouncer refuses to run as root.
    ...(process.getuid?.() === 0 ? { user: 'nobody' } : {}),
    unix_socket_dir: '',
    ...changed,
  };
  const file = (await readFile('deploy/pgbouncer/pgbouncer.ini', 'utf8')).replace(
    /^booking_live = host=\S+ port=\S+ dbname=\S+/m,
    `${name} = host=${target.hostname} port=${target.port} dbname=${name}`,
  );
  const kept = file.split('\n').filter((line) => !Object.hasOwn(settings, line.split(' = ')[0] ?? ''));
  const config = [...kept, ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`), ''].join('\n');
  await writeFile(join(directory, 'pgbouncer.ini'), config);
  const sign = [target.username, target.password].map((one) => `"${decodeURIComponent(one)}"`);
  await writeFile(join(directory, 'userlist.txt'), `${sign.join(' ')}\n`);
  const child = spawn(PROGRAM, [join(directory, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-20_000);
  });
  child.on('error', (error) => {
    output += `${PROGRAM} cannot be run (${error.message}). Install PgBouncer 1.21 or newer, or set PGBOUNCER to its path.`;
  });
  const ended = once(child, 'close');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  await untilReachable(url.href, ended, () => output);
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function untilReachable(url: string, ended: Promise<unknown>, output: () => string): Promise<void> {
  let running = true;
  const end = () => {
    running = false;
  };
  ended.then(end, end);
  const deadline = Date.now() + MAX_START;
  while (running && Date.now() < deadline) {
    const reached = await withClient(url, (client) => client.query('SELECT 1')).then(
      () => true,
      () => false,
    );
    if (reached) return;
    await delay(100);
  }
  throw new Error(`PgBouncer did not start: ${output()}`);
}

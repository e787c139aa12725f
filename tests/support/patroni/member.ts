import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { freePort } from '../free-port';
import { familyOf } from '../launcher';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy';
import { settingsIn } from './etcd';

/** A Patroni with its PostgreSQL. Other processes reach it, and it reaches etcd, through proxies. */
export type Member = {
  name: string;
  /** Through its proxy. */
  databasePort: number;
  /** For this process, without a proxy. */
  database: { host: string; port: number };
  rest: string;
  start: () => void;
  /** With SIGKILL: Patroni, then all processes of PostgreSQL. */
  kill: () => Promise<void>;
  /** Leaves all its connections half-open: those to etcd, and with `everything` also those to its ports. */
  cut: (what: 'etcd' | 'everything') => void;
  heal: () => void;
  log: () => Promise<string>;
  destroy: () => Promise<void>;
};

export type Owner = { uid: number; gid: number } | null;

type Place = { parent: string; owner: Owner; etcdPorts: readonly number[] };

/** The newest PostgreSQL of Debian's packages, or `POSTGRES_BIN`. */
function binariesOf(): string {
  const root = '/usr/lib/postgresql';
  const versions = process.env.POSTGRES_BIN ? [] : readdirSync(root).map(Number);
  return process.env.POSTGRES_BIN || join(root, String(Math.max(...versions)), 'bin');
}

/** Writes `deploy/patroni/patroni.yml` for loopback, without TLS, and without the password of the system's user. */
async function writeConfiguration(path: string, directory: string): Promise<void> {
  const file = parse(await readFile('deploy/patroni/patroni.yml', 'utf8'));
  file.postgresql.pg_hba = file.postgresql.pg_hba.map((line: string) =>
    line.replace('hostssl', 'host').replace('10.0.0.0/24', '127.0.0.1/32').replace(/peer$/, 'trust'),
  );
  file.postgresql.parameters = { unix_socket_directories: directory };
  file.watchdog.mode = 'off';
  await writeFile(path, stringify(file));
}

export async function makeMember(name: string, { parent, owner, etcdPorts }: Place): Promise<Member> {
  const [port, restPort] = [await freePort(), await freePort()];
  const proxyTo = (target: number) => startTcpProxy(`http://127.0.0.1:${target}`);
  const toEtcd = await Promise.all(etcdPorts.map(proxyTo));
  const [database, rest] = [await proxyTo(port), await proxyTo(restPort)];
  const hostOf = ({ url }: TcpProxy) => new URL(url).host;
  const [configuration, logFile, data] = ['yml', 'log', 'data'].map((end) => join(parent, `${name}.${end}`)) as [
    string,
    string,
    string,
  ];
  await writeConfiguration(configuration, parent);
  await appendFile(logFile, '');
  const env = {
    PATH: process.env.PATH,
    HOME: parent,
    LC_ALL: 'C.UTF-8',
    ...(await settingsIn('patroni.env')),
    PATRONI_NAME: name,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: hostOf(database),
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_BIN_DIR: binariesOf(),
    PATRONI_POSTGRESQL_PGPASS: join(parent, `${name}.pgpass`),
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: hostOf(rest),
    PATRONI_ETCD3_HOSTS: toEtcd.map(hostOf).join(),
    // Otherwise, Patroni would ask etcd for its addresses and avoid the proxies.
    PATRONI_ETCD3_USE_PROXIES: 'true',
  };
  let patroni: ChildProcess | undefined;
  const end = async () => {
    if (!patroni || patroni.exitCode !== null || patroni.signalCode !== null) return;
    const exited = once(patroni, 'exit');
    // Patroni restarts a PostgreSQL that ends, so it is killed first.
    const below = patroni.pid ? await familyOf(patroni.pid) : [];
    patroni.kill('SIGKILL');
    await exited;
    const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
    const all = new Set([...below, ...(postmaster ? await familyOf(postmaster) : [])]);
    for (const pid of all) signal(pid);
  };
  return {
    name,
    databasePort: Number(new URL(database.url).port),
    database: { host: parent, port },
    rest: `http://127.0.0.1:${restPort}`,
    start: () => {
      const command = 'exec patroni "$1" >> "$2" 2>&1';
      patroni = spawn('sh', ['-c', command, 'sh', configuration, logFile], {
        ...(owner ?? {}),
        cwd: parent,
        env: env as unknown as NodeJS.ProcessEnv,
        stdio: 'ignore',
      });
    },
    kill: end,
    cut: (what) => {
      for (const proxy of what === 'etcd' ? toEtcd : [...toEtcd, database, rest]) proxy.hang();
    },
    heal: () => {
      for (const proxy of [...toEtcd, database, rest]) proxy.resume();
    },
    log: () => readFile(logFile, 'utf8'),
    destroy: async () => {
      await end();
      for (const proxy of [...toEtcd, database, rest]) await proxy.stop();
    },
  };
}

/** Does nothing if the process has ended. */
function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

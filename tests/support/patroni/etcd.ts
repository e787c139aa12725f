import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { until } from '../until';

/** Milliseconds. */
const START_WITHIN = 60_000;

/** Three members on loopback. */
export type Etcd = {
  /** The port for clients of each member. */
  ports: readonly number[];
  kill: (index: number) => Promise<void>;
  start: (index: number) => void;
  destroy: () => Promise<void>;
};

/** Returns the settings in a file of `deploy/patroni`. */
export async function settingsIn(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(`deploy/patroni/${file}`, 'utf8')).split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/** With `deploy/patroni/etcd.env` and other addresses, and with longer timeouts because the test machine may be busy. */
export async function startEtcd(parent: string, names: readonly string[]): Promise<Etcd> {
  const shipped = await settingsIn('etcd.env');
  const ports: number[] = [];
  const peers: number[] = [];
  for (const _ of names) {
    ports.push(await freePort());
    peers.push(await freePort());
  }
  const url = (port: number | undefined) => `http://127.0.0.1:${port}`;
  const running: ChildProcess[] = [];
  const start = (index: number) => {
    const own = {
      ETCD_NAME: names[index] ?? '',
      ETCD_DATA_DIR: join(parent, `etcd-${names[index]}`),
      ETCD_LISTEN_CLIENT_URLS: url(ports[index]),
      ETCD_ADVERTISE_CLIENT_URLS: url(ports[index]),
      ETCD_LISTEN_PEER_URLS: url(peers[index]),
      ETCD_INITIAL_ADVERTISE_PEER_URLS: url(peers[index]),
      ETCD_INITIAL_CLUSTER: names.map((name, at) => `${name}=${url(peers[at])}`).join(),
      ETCD_HEARTBEAT_INTERVAL: '300',
      ETCD_ELECTION_TIMEOUT: '3000',
    };
    const env = { ...process.env, ...shipped, ...own };
    running[index] = spawn('etcd', { env, stdio: 'ignore' });
  };
  const kill = async (index: number) => {
    const child = running[index];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const isHealthy = async (port: number) =>
    await fetch(`${url(port)}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const index of names.keys()) start(index);
  for (const port of ports)
    await until(
      () => isHealthy(port),
      (healthy) => healthy,
      START_WITHIN,
    );
  return {
    ports,
    kill,
    start,
    destroy: async () => {
      await Promise.all(names.map((_, index) => kill(index)));
    },
  };
}

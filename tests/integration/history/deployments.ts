import { setTimeout as delay } from 'node:timers/promises';
import { familyOf } from '@/tests/support/launcher';
import { pick } from '@/tests/support/random';
import { startServer, type TestServer } from '@/tests/support/server';
import { createPartner, type Partner } from '@/tests/support/storm';
import { until } from '@/tests/support/until';

/** Maximum milliseconds until a killed worker is replaced. */
const REPLACED_WITHIN = 60_000;

/** A deployment's running servers. A test can kill and suspend their processes. */
export type Deployment = {
  /** Sets the API key that all partners use from now on. */
  serve: (key: string) => void;
  /** Returns one partner for each running server. Each partner sends its requests to its own server. */
  partners: () => readonly Partner[];
  /** Kills a random process with SIGKILL and waits until a new process has replaced it. */
  kill: () => Promise<void>;
  /** Suspends a random process with SIGSTOP, and resumes it after `milliseconds` with SIGCONT. */
  freeze: (milliseconds: number) => Promise<void>;
  end: () => Promise<void>;
};

/** The deployments to test. `workers` is the number of workers of each server. */
export const DEPLOYMENTS = [
  { name: 'one process', servers: 1, workers: 1 },
  { name: 'two processes', servers: 2, workers: 1 },
  { name: 'two workers', servers: 1, workers: 2 },
];

type Options = { servers: number; workers: number; databaseUrl: string; random: () => number };

/** Starts the servers of a deployment. */
export async function deploy({ servers, workers, databaseUrl, random }: Options): Promise<Deployment> {
  const env = { INSTANCES: String(servers), WORKERS: String(workers), LOG_LEVEL: 'silent' };
  const start = () => startServer({ databaseUrl, env });
  const running = new Map<TestServer, Partner>();
  let key = '';
  const add = (server: TestServer) => running.set(server, createPartner(server.origin, key));
  for (const server of await Promise.all(Array.from({ length: servers }, start))) add(server);
  const workersOf = async ({ pid }: TestServer) => (await familyOf(pid)).filter((one) => one !== pid);
  const replace = async (victim: TestServer) => {
    running.delete(victim);
    await victim.kill();
    add(await start());
  };
  const killWorker = async (server: TestServer) => {
    const before = await workersOf(server);
    const victim = pick(random, before);
    process.kill(victim, 'SIGKILL');
    const replaced = (now: number[]) => !now.includes(victim) && now.length === workers;
    await until(() => workersOf(server), replaced, REPLACED_WITHIN);
  };
  return {
    serve: (of) => {
      key = of;
      for (const server of [...running.keys()]) add(server);
    },
    partners: () => [...running.values()],
    kill: async () => {
      const server = pick(random, [...running.keys()]);
      // With several workers, four of five kills end a random worker. The other kills end the whole server.
      await (workers > 1 && random() < 0.8 ? killWorker(server) : replace(server));
    },
    freeze: async (milliseconds) => {
      const server = pick(random, [...running.keys()]);
      const pid = workers > 1 ? pick(random, await workersOf(server)) : server.pid;
      process.kill(pid, 'SIGSTOP');
      await delay(milliseconds);
      process.kill(pid, 'SIGCONT');
    },
    end: async () => {
      await Promise.all([...running.keys()].map((server) => server.stop()));
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { consumeQuota } from '@/lib/platform/rate-limit/rate-limit';
import { freePort } from '@/tests/support/free-port';
import { changeSettings } from '@/tests/support/fresh-process';
import { hasProgram } from '@/tests/support/programs';
import { until } from '@/tests/support/until';
import { testEveryStore } from './every-store';

const PROGRAM = 'redis-server';

let port: number;

beforeAll(async () => {
  port = await freePort();
  changeSettings({ INSTANCES: '2', REDIS_URL: `redis://127.0.0.1:${port}/1` });
});

test('while no server listens at REDIS_URL, the process counts in its memory', async () => {
  const id = newId('app');
  expect([await consumeQuota(id, 3), await consumeQuota(id, 3)]).toMatchObject([{ remaining: 2 }, { remaining: 1 }]);
});

if (hasProgram(PROGRAM, 6, 'the counts in Redis'))
  describe('a server at REDIS_URL', () => {
    let server: ChildProcess;
    let client: Redis;

    beforeAll(async () => {
      server = spawn(PROGRAM, ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' });
      client = new Redis(`redis://127.0.0.1:${port}/1`, { maxRetriesPerRequest: 0 });
      client.on('error', () => undefined);
      await until(
        async () => [await consumeQuota(newId('app'), 1), await client.dbsize().catch(() => 0)][1],
        (size) => size !== 0,
      );
    }, 60_000);

    afterAll(async () => {
      client.disconnect();
      server.kill();
      await once(server, 'exit');
    });

    testEveryStore();

    test('counts the requests of all processes, and no others see them', async () => {
      const id = newId('app');
      await client.set(`partner-booking-TEST:${id}`, 4, 'EX', 60);
      expect(await consumeQuota(id, 10)).toMatchObject({ remaining: 5 });
    });
  });

import { beforeAll, describe, expect, test } from 'vitest';
import { createResolve, type Resolve } from '@/lib/webhooks/addresses';
import { createSender, send } from '@/lib/webhooks/send';
import { checkUrl } from '@/lib/webhooks/url';
import { startNameServer } from '@/tests/support/name-server';
import { type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { withinLimit } from '@/tests/support/within-limit';

const PUBLIC = '93.184.215.14';
const DEAD = Array.from({ length: 20 }, (_, i) => `dead-${i}.com`);

let server: Awaited<ReturnType<typeof startNameServer>>;
let receiver: Receiver;
let resolve: Resolve;

beforeAll(async () => {
  receiver = await startReceiver(status(204, {}, ''));
  server = await startNameServer({
    'healthy.com': ['127.0.0.1'],
    'partner.com': [PUBLIC, '2606:4700::1111'],
    'both.com': [PUBLIC, '10.1.2.3'],
    'both6.com': [PUBLIC, 'fd00::1'],
    'failing.com': 'failing',
    'empty.com': [],
    'half.com': 'silent on AAAA',
    ...Object.fromEntries(DEAD.map((name) => [name, 'silent'])),
  });
  resolve = createResolve([server.address]);
  return async () => {
    await server.close();
    await receiver.close();
  };
});

const timed = async <T>(job: Promise<T>) => {
  const startedAt = performance.now();
  const result = await job;
  return { result, took: performance.now() - startedAt };
};

// They wait most of the time.
describe('with name servers that do not respond', () => {
  test.concurrent('while twenty name servers never respond, a healthy receiver gets its event within a second', async () => {
    const sender = createSender({ allowLoopback: true, resolve });
    const { port } = new URL(receiver.url);
    const attempt = (name: string) =>
      timed(send(sender, { url: `http://${name}:${port}/`, headers: {}, payload: '{}' }));
    const dead = DEAD.map(attempt);
    const before = receiver.received.length;
    let sent = 0;
    for (let i = 0; i < 4; i += 1) {
      const { took } = await withinLimit(1_000, async () => {
        const measured = await attempt('healthy.com');
        expect(measured.result).toMatchObject({ status: 204, error: null });
        sent += 1;
        return measured;
      });
      expect(took).toBeLessThan(1_000);
    }
    for (const { result, took } of await Promise.all(dead)) {
      expect(result).toMatchObject({ status: null, error: 'timeout' });
      expect(took).toBeLessThan(6_500);
    }
    expect(receiver.received).toHaveLength(before + sent);
  });

  test.concurrent('resolves both address families; one without a response costs a second', async () => {
    expect(await resolve('partner.com')).toEqual([
      { address: PUBLIC, family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
    const { result, took } = await withinLimit(1_800, () => timed(resolve('half.com')));
    expect(result).toEqual([{ address: PUBLIC, family: 4 }]);
    expect(took).toBeLessThan(1_800);
  });

  test.concurrent('saving a URL uses the same lookup', async () => {
    const rules = { allowLoopback: false, resolve };
    expect(await checkUrl('https://partner.com/hooks', rules)).toBe('https://partner.com/hooks');
    for (const name of ['both.com', 'both6.com', 'healthy.com'])
      await expect(checkUrl(`https://${name}/`, rules)).rejects.toMatchObject({ fields: [{ path: 'url' }] });
    // If the name server does not respond in time, the URL is accepted. Every attempt checks the address again.
    const { took } = await withinLimit(2_500, () => timed(checkUrl('https://dead-0.com/', rules)));
    expect(took).toBeLessThan(2_500);
    expect(server.asked).toContain('dead-0.com');
  });
});

test('localhost is the loopback address and is not looked up', async () => {
  const { port } = new URL(receiver.url);
  const sender = createSender({ allowLoopback: true, resolve });
  for (const name of ['localhost', 'api.localhost'])
    expect(await send(sender, { url: `http://${name}:${port}/`, headers: {}, payload: '{}' })).toMatchObject({
      status: 204,
    });
  expect(server.asked.filter((name) => name.includes('localhost'))).toEqual([]);
});

test.each([
  ['unknown.com', 'name_not_found'],
  ['empty.com', 'name_not_found'],
  ['failing.com', 'name_not_found'],
  ['both.com', 'refused_address'],
  ['both6.com', 'refused_address'],
  ['healthy.com', 'refused_address'],
])('an attempt to %s is recorded as %s', async (name, error) => {
  const sender = createSender({ allowLoopback: false, resolve });
  expect(await send(sender, { url: `https://${name}/`, headers: {}, payload: '{}' })).toMatchObject({ error });
});

test('an unreachable name server is not reported as a refused connection', async () => {
  const nameServer = await startNameServer({});
  await nameServer.close();
  const sender = createSender({ allowLoopback: false, resolve: createResolve([nameServer.address]) });
  const { error } = await send(sender, { url: 'https://partner.com/', headers: {}, payload: '{}' });
  expect(error).toMatch(/^(name_not_found|timeout)$/);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '@/lib/contract/client';
import { EXAMPLE_EVENT } from '@/lib/contract/event-examples';
import { freePort } from '@/tests/support/free-port';
import { until } from '@/tests/support/until';
import { codeBlocks } from './blocks';
import { copyFiles, testedLanguages } from './languages';
import { makePlace, type Place, shell, TIMEOUT, TSX } from './place';

const blocks = codeBlocks('http://localhost');
let place: Place;

beforeAll(async () => {
  place = await makePlace(blocks);
});

afterAll(async () => {
  await rm(place.directory, { recursive: true, force: true });
});

const named = (name: string) => blocks.find((one) => one.language === 'sh' && one.name === name)?.code ?? '';

/** Returns the webhook secret from the quickstart. */
const secret = () => /WEBHOOK_SECRET=(\S+)/.exec(named('secret'))?.[1] ?? '';

/** Returns the quickstart's command that exports the receiver's settings, but with the given port. */
function settings(port: number): string {
  const text = named('secret');
  expect(text).toMatch(/^export PORT=4000 WEBHOOK_SECRET=whsec_[A-Za-z0-9+/]{43}=\n$/);
  return text.replace('PORT=4000', `PORT=${port}`);
}

/** Starts a receiver with the quickstart's settings, and waits until the receiver is listening. */
async function receiver(port: number, command: string): Promise<{ child: ChildProcess; output: () => string }> {
  const script = `${settings(port)}exec ${command}`;
  const child = spawn('sh', ['-euc', script], {
    cwd: place.directory,
    env: place.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  while (!output.includes('listening')) await once(child.stdout, 'data');
  return { child, output: () => output };
}

function signed(id: string, body: string, key = secret()): Record<string, string> {
  const now = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, now, body),
  };
}

test(
  'the receiver accepts a signed event once and refuses an unsigned one',
  async () => {
    const port = await freePort();
    // Runs the quickstart's command, but with the path to tsx instead of `npx tsx`.
    expect(named('start').trim()).toBe('npx tsx receiver.ts &');
    const { child, output } = await receiver(port, `"${process.execPath}" "${TSX}" receiver.ts`);
    try {
      const trial = [{ code: settings(port) }, { code: named('receiver') }];
      expect(await shell(place, trial)).toMatch(/^HTTP\/[\d.]+ 204/);
      expect(await shell(place, trial)).toMatch(/^HTTP\/[\d.]+ 204/);
      const example = blocks.find(({ page, language }) => page === 'guides/webhooks.md' && language === 'json');
      const id = 'evt_01jd8x4t5wf3rbq0zk6m7n8p9x';
      const body = (example?.code ?? '').replace(/evt_\w+/, id);
      const post = async (headers: Record<string, string>) =>
        (await fetch(`http://localhost:${port}/`, { method: 'POST', body, headers })).status;
      expect(await post(signed(id, body))).toBe(204);
      expect(await post(signed(id, body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`))).toBe(400);
      expect(await post({ ...signed(id, body), 'webhook-timestamp': '1' })).toBe(400);
      expect(await post({})).toBe(400);
      expect(output().match(/^acting on .*$/gm)).toEqual([
        'acting on webhook.test undefined',
        expect.stringMatching(/^acting on booking\.rescheduled pbr_/),
      ]);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  },
  TIMEOUT,
);

/** Receivers in other languages. `prepare` is run once in the directory with the receiver and the client. */
const RECEIVERS = [
  { extension: 'py', file: 'receiver.py', prepare: 'true', start: 'python3 -B receiver.py' },
  { extension: 'java', file: 'Receiver.java', prepare: 'javac Receiver.java', start: 'java Receiver' },
  {
    extension: 'cs',
    file: 'Receiver.cs',
    prepare: 'mcs -langversion:7.2 -r:System.Net.Http.dll -out:receiver.exe *.cs',
    start: 'mono receiver.exe',
  },
];

const LANGUAGES = testedLanguages(
  'the receivers',
  RECEIVERS.map(({ extension }) => extension),
);

test.each(
  LANGUAGES.flatMap((language) =>
    RECEIVERS.filter(({ extension }) => extension === language.extension).map((one) => ({ language, ...one })),
  ),
)(
  'the receiver in $file acts once on a signed event and refuses every other one',
  async ({ language, file, prepare, start }) => {
    const code = blocks.find(({ name }) => name === file)?.code ?? '';
    await writeFile(join(place.directory, file), code);
    await copyFiles(language, place.directory, false);
    await shell(place, [{ code: prepare }]);
    const port = await freePort();
    const { child, output } = await receiver(port, start);
    try {
      const post = async (headers: Record<string, string>, body: string) =>
        (await fetch(`http://localhost:${port}/`, { method: 'POST', body, headers })).status;
      const body = JSON.stringify(EXAMPLE_EVENT);
      const headers = signed(EXAMPLE_EVENT.id, body);
      expect([await post(headers, body), await post(headers, body)]).toEqual([204, 204]);
      expect([await post(headers, `${body} `), await post({}, body), await post({}, '')]).toEqual([400, 400, 400]);
      await until(
        async () => output(),
        (text) => text.includes('acting on'),
      );
      expect(output().match(/^acting on .*$/gm)).toEqual([
        expect.stringMatching(/^acting on booking\.rescheduled pbr_/),
      ]);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  },
  TIMEOUT,
);

test('the quickstart installs every package that the examples import', () => {
  const code = blocks.filter(({ language }) => language === 'ts').map((one) => one.code);
  const used = code.flatMap((text) => [...text.matchAll(/from '([^'.:]+)'/g)].map(([, name]) => name));
  expect(used).not.toEqual([]);
  for (const name of [...used, 'tsx']) expect(named('install').split(/\s/)).toContain(name);
  expect(named('install')).toContain('npm pkg set type=module');
});

test('verification without the library gives the same results, even during a rotation', async () => {
  const isGenuine = (headers: Record<string, string>, text: string) =>
    verifyWebhook(secret(), headers, text).then(
      () => true,
      (error: unknown) => !(error instanceof WebhookError),
    );
  const body = '{"type":"webhook.test"}';
  const headers = signed('evt_1', body);
  const other = signed('evt_1', body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`)['webhook-signature'];
  expect(await isGenuine(headers, body)).toBe(true);
  const both = { ...headers, 'webhook-signature': `${other} ${headers['webhook-signature']}` };
  expect(await isGenuine(both, body)).toBe(true);
  expect(await isGenuine({ ...headers, 'webhook-signature': other ?? '' }, body)).toBe(false);
  expect(await isGenuine(headers, `${body} `)).toBe(false);
  expect(await isGenuine({ ...headers, 'webhook-timestamp': '1' }, body)).toBe(false);
  expect(await isGenuine({}, body)).toBe(false);
});

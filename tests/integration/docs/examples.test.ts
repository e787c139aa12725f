import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '@/tests/support/database';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { type Block, CURL_STAND_IN, codeBlocks, OWN, ROOT } from './blocks';

const PATIENCE = 120_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let database: Awaited<ReturnType<typeof createDatabase>>;
let blocks: Block[] = [];
/** Where the examples run; inside the clone, so that they find its packages. */
let place = '';
let environment: NodeJS.ProcessEnv;

const of = (page: string, language: string) => blocks.filter((one) => one.page === page && one.language === language);

beforeAll(async () => {
  database = await createDatabase();
  const DATA_DIR = await freshDataDir();
  await launch({ DATA_DIR, DATABASE_URL: database.url }).running();
  const { base_url, applications } = JSON.parse(await readFile(join(DATA_DIR, 'credentials.json'), 'utf8'));
  blocks = codeBlocks(base_url);
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  place = await mkdtemp(join(ROOT, '.cache', 'examples-'));
  for (const { language, name, code } of blocks) if (language === 'ts') await writeFile(join(place, name), code);
  const { PATH, HOME } = process.env;
  const curl = await promisify(execFile)('curl', ['--version']).catch(() => null);
  if (!curl) {
    await writeFile(join(place, 'curl'), CURL_STAND_IN);
    await chmod(join(place, 'curl'), 0o755);
  }
  const path = [dirname(process.execPath), PATH, place].join(':');
  environment = { NODE_ENV: 'production', HOME, PATH: path, API_KEY: applications[0].api_key };
}, PATIENCE);

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
  await database.drop();
  await rm(place, { recursive: true, force: true });
});

/** Runs shell blocks one after the other, as somebody who copies them into one terminal would. */
async function shell(parts: Block[], more: Record<string, string> = {}): Promise<string> {
  const script = parts.map(({ code }) => code).join('\n');
  const options = { cwd: place, env: { ...environment, ...more }, timeout: PATIENCE };
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], options);
  return stdout;
}

async function typescript(file: string): Promise<string> {
  const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
  const options = { cwd: place, env: { ...environment, API: apiOf() }, timeout: PATIENCE };
  return (await promisify(execFile)(process.execPath, [tsx, file], options)).stdout;
}

const apiOf = () => /export API=(\S+)/.exec(of('quickstart.md', 'sh')[0]?.code ?? '')?.[1] ?? '';

const quickstart = () => of('quickstart.md', 'sh').filter(({ name }) => name === '');

test(
  'the quickstart runs as it stands: first call, first booking, safe retry',
  async () => {
    const output = await shell(quickstart());
    expect(output).toContain('"services":[{"id":"svc_');
    const answers = output.split(/(?=HTTP\/[\d.]+ \d{3})/).slice(1);
    expect(answers.map((answer) => answer.split(' ')[1])).toEqual(['201', '201']);
    const references = answers.map((answer) => JSON.parse(answer.split('\r\n\r\n')[1] ?? '').data.booking.reference);
    expect(references[0]).toBe(references[1]);
    expect(output.match(/idempotent-replayed: true/gi)).toHaveLength(1);
  },
  PATIENCE,
);

test(
  'the shell examples of the guides run behind those of the quickstart',
  async () => {
    const guides = [...new Set(blocks.filter(({ page }) => page.startsWith('guides/')).map(({ page }) => page))];
    const outputs = new Map<string, string>();
    for (const page of guides.filter((one) => of(one, 'sh').length > 0)) {
      outputs.set(page, await shell([...quickstart(), ...of(page, 'sh')]));
    }
    expect([...outputs.keys()].sort()).toEqual([
      'guides/idempotency.md',
      'guides/rate-limits.md',
      'guides/versions.md',
    ]);
    expect(outputs.get('guides/idempotency.md')?.trim().endsWith('201')).toBe(true);
    expect(
      outputs
        .get('guides/rate-limits.md')
        ?.slice(-120)
        .match(/x-ratelimit-\w+: \d+/gi),
    ).toHaveLength(3);
    expect(outputs.get('guides/versions.md')).toContain('"status":"cancelled"');
  },
  PATIENCE,
);

test(
  'the TypeScript examples have the types they say',
  () => {
    const files = blocks.filter(({ language }) => language === 'ts').map(({ name }) => join(place, name));
    expect(files.length).toBeGreaterThan(5);
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ compilerOptions: config.compilerOptions }, ts.sys, ROOT);
    const program = ts.createProgram(files, { ...options, incremental: false, noEmit: true, plugins: [] });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ file, messageText }) => [
        file?.fileName.replace(place, ''),
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ]);
    expect(problems).toEqual([]);
  },
  PATIENCE,
);

test(
  'the TypeScript examples run',
  async () => {
    const [book, services, date] = await Promise.all(['book.ts', 'all-services.ts', 'local-date.ts'].map(typescript));
    expect(book).toMatch(/^booked pbr_\w{26} \S+\nthe same booking true\ncancelled\n$/);
    expect(services?.trim().split('\n').length).toBeGreaterThan(20);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d \d{4}-\d\d-\d\d\n$/);
  },
  PATIENCE,
);

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function receiver(port: number): Promise<{ child: ChildProcess; output: () => string }> {
  const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
  const env = { ...environment, PORT: String(port), WEBHOOK_SECRET: SECRET };
  const child = spawn(process.execPath, [tsx, 'receiver.ts'], {
    cwd: place,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  while (!output.includes('listening')) await once(child.stdout, 'data');
  return { child, output: () => output };
}

function signed(id: string, body: string, secret = SECRET): Record<string, string> {
  const now = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
}

test(
  'the receiver takes what is signed, once, and refuses what is not',
  async () => {
    const port = await freePort();
    const { child, output } = await receiver(port);
    try {
      const trial = of('quickstart.md', 'sh').filter(({ name }) => name === 'receiver');
      const sent = { WEBHOOK_SECRET: SECRET, PORT: String(port) };
      expect(await shell(trial, sent)).toMatch(/^HTTP\/[\d.]+ 204/);
      expect(await shell(trial, sent)).toMatch(/^HTTP\/[\d.]+ 204/);
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
  PATIENCE,
);

test('checking a signature by hand agrees with the library, rotation included', async () => {
  const { isGenuine } = (await import(/* @vite-ignore */ join(place, 'verify.ts'))) as {
    isGenuine: (secret: string, headers: Record<string, string>, body: string) => boolean;
  };
  const body = '{"type":"webhook.test"}';
  const headers = signed('evt_1', body);
  const other = signed('evt_1', body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`)['webhook-signature'];
  expect(isGenuine(SECRET, headers, body)).toBe(true);
  expect(isGenuine(SECRET, { ...headers, 'webhook-signature': `${other} ${headers['webhook-signature']}` }, body)).toBe(
    true,
  );
  expect(isGenuine(SECRET, { ...headers, 'webhook-signature': other ?? '' }, body)).toBe(false);
  expect(isGenuine(SECRET, headers, `${body} `)).toBe(false);
  expect(isGenuine(SECRET, { ...headers, 'webhook-timestamp': '1' }, body)).toBe(false);
  expect(isGenuine(SECRET, {}, body)).toBe(false);
});

test('JSON in the texts is JSON, and commands are those of this clone', async () => {
  for (const { code } of blocks.filter(({ language }) => language === 'json'))
    expect(() => JSON.parse(code)).not.toThrow();
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const commands = OWN.flatMap((page) => of(page, 'sh').flatMap(({ code }) => code.trim().split('\n')));
  expect(commands).toEqual(expect.arrayContaining(['npm start', 'npm test']));
  // Tools of an own PostgreSQL are none of ours.
  for (const command of commands.filter((one) => !/^pg_(dump|restore) /.test(one))) {
    const [, name = ''] = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([a-z]+)\b/.exec(command) ?? [];
    expect(scripts, command).toHaveProperty(name);
  }
});

import { createHmac } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PartnerError, partnerClient, verifyWebhook } from '@/lib/contract/client';
import { sampleFile } from '@/lib/contract/docs/samples';
import { BASE_PATH } from '@/lib/contract/operations';
import { makeBusiness, makeService, offer } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { ROOT } from './blocks';
import { copyFiles, type Language, runFile, testedLanguages } from './languages';

const VECTORS = join(ROOT, 'docs/partner/webhook-vectors.json');

/** Secrets that contain no key: empty, blank, or not base64. */
const UNUSABLE = ['', 'whsec_', ' ', '\n', 'whsec_ \t', 'whsec_=', 'whsec_====', 'whsec_A', 'whsec_!!!!', 'whsec_é'];

const REFUSED = /a webhook secret must be whsec_ followed by base64/i;

/**
 * Returns one forged webhook for each secret in `UNUSABLE`, signed with an empty key. If a code sample
 * decoded such a secret to an empty key, it would accept this webhook.
 */
function forged() {
  const [now, body] = [1_789_376_400, '{}'];
  const signature = createHmac('sha256', '').update(`evt_1.${now}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${now}`, 'webhook-signature': `v1,${signature}` };
  return UNUSABLE.map((secret) => ({ secrets: [secret], headers, body, now }));
}

type Sent = { method: string; url: string; idempotencyKey: string; authorization: string };

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Starts a server that forwards requests to the API, but drops the response to the first booking. */
async function losing(): Promise<{ origin: string; sent: Sent[]; stop: () => Promise<void> }> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const name = (header: string) => String(headers[header] ?? '');
    const forwarded = ['authorization', 'content-type', 'idempotency-key'].flatMap((one) =>
      headers[one] ? [[one, name(one)]] : [],
    );
    const body = method === 'POST' ? await bodyOf(request) : undefined;
    const first = method === 'POST' && sent.every((one) => one.method !== 'POST');
    sent.push({ method, url, idempotencyKey: name('idempotency-key'), authorization: name('authorization') });
    const passed = { ...Object.fromEntries(forwarded), 'accept-encoding': 'identity' };
    const init = { method, headers: passed, body: body && new Uint8Array(body) };
    const reply = await fetch(sharedServer().origin + url, init);
    const text = await reply.text();
    // These two headers belong to the connection between this server and the API. If they were forwarded to the sample
    // in PHP, it would not finish reading the response until this server closes the connection.
    const { connection: _, 'keep-alive': __, ...passedOn } = Object.fromEntries(reply.headers);
    if (first) request.socket.destroy();
    else response.writeHead(reply.status, passedOn).end(text);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${port}`, sent, stop };
}

/** Copies the samples in a language, with their test driver, into a new directory. */
async function samplesOf(language: Language): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'samples-'));
  await copyFiles(language, directory, true);
  const driver = sampleFile('driver', language.extension);
  await copyFile(join(ROOT, 'tests/integration/docs/samples', driver), join(directory, driver));
  return directory;
}

test.each(testedLanguages('the samples').map((language) => [language.name, language] as const))(
  'the samples in %s book despite a lost response, verify the vectors, stop when the key is refused, and read all pages',
  async (_, language) => {
    const { key, tenant, location, specialist } = await makeBusiness();
    const more = await Promise.all([1, 2].map(() => makeService(tenant.id, { name: { en: 'Shave' } })));
    await offer(tenant.id, [specialist], more, [location]);
    const api = await losing();
    const directory = await samplesOf(language);
    try {
      await writeFile(join(directory, 'forged.json'), JSON.stringify(forged()));
      const [command = '', ...args] = language.run;
      const env = { ...process.env, API: api.origin + BASE_PATH, API_KEY: key };
      const { stdout } = await runFile(command, [...args, sampleFile('driver', language.extension), VECTORS], {
        cwd: directory,
        env,
        timeout: 120_000,
      });
      const [booked, same, cancelled, verified, unusable, invalid, refused, unsendable, ...listed] = stdout
        .trim()
        .split('\n');
      expect(booked).toMatch(/^booked pbr_\w{26} \S+$/);
      expect(same).toMatch(/^the same booking true$/i);
      expect(cancelled).toBe('cancelled');
      const vectors = JSON.parse(await readFile(VECTORS, 'utf8')) as { valid: boolean }[];
      expect(JSON.parse(verified?.slice('verified '.length) ?? '')).toEqual(vectors.map(({ valid }) => valid));
      const outcomes = JSON.parse(unusable?.slice('forged '.length) ?? '') as unknown[];
      expect(outcomes).toEqual(UNUSABLE.map(() => expect.stringMatching(REFUSED)));
      expect(refused).toBe('refused 401 invalid_api_key wrong_environment');
      expect(unsendable).toBe('not sent');
      const client = partnerClient({ baseUrl: sharedServer().origin + BASE_PATH, apiKey: key });
      const error = await client.listCatalog({ limit: 0, color: 'red' } as object).catch((one: unknown) => one);
      if (!(error instanceof PartnerError)) throw error;
      expect(error.fields.length).toBe(2);
      const named = error.fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
      const paths = error.fields.map(({ path }) => path);
      expect(invalid).toBe(`invalid ${paths} 400 invalid_request: ${error.message} (${named})`);
      const { services } = await client.listCatalog();
      expect(services.length).toBe(3);
      expect(listed).toEqual([
        ...services.map(({ id }) => id),
        ...services.map(({ id, name }) => `${id} ${name}`),
        'Studio',
      ]);
    } finally {
      await api.stop();
      await rm(directory, { recursive: true, force: true });
    }
    const bookings = api.sent.filter(({ url }) => url === `${BASE_PATH}/bookings`);
    expect([bookings.length, new Set(bookings.map(({ idempotencyKey }) => idempotencyKey)).size]).toEqual([3, 1]);
    expect(api.sent.filter(({ authorization }) => authorization === 'Bearer pbk_live_refused').length).toBe(1);
  },
  120_000,
);

test.each(forged())('the client in TypeScript refuses the secret $secrets', async ({ secrets, headers, body, now }) => {
  await expect(verifyWebhook(secrets, headers, body, now)).rejects.toThrow(REFUSED);
});

import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { freshAddress } from '@/tests/support/client';
import { makePerson, openSessionOf, tenantHeader } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

/** Milliseconds within which a refusal must arrive, even on a busy machine. A quadratic cost takes far longer. */
const PROMPT = 3_000;

/** A token with the format of a real one. */
const TOKEN = 'a'.repeat(43);

const blanks = (count: number) => `x${' '.repeat(count)}x`;

type Reply = { status: number; text: string; ms: number };

async function post(
  path: string,
  body: string,
  headers: Record<string, string> = {},
  address = freshAddress(),
): Promise<Reply> {
  const dispatcher = new Agent({ localAddress: address });
  const begun = performance.now();
  const answer = await request(`http://127.0.0.1:${new URL(origin).port}${path}`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-booking': 'control-center', ...headers },
    body,
  });
  const text = await answer.body.text();
  const ms = performance.now() - begun;
  await dispatcher.close();
  return { status: answer.statusCode, text, ms };
}

test('the setup of TEST refuses every body without reading it, and counts no attempt', async () => {
  const address = freshAddress();
  for (const body of ['', '{', JSON.stringify({ token: TOKEN, name: blanks(15_000) })])
    expect(await post('/api/setup', body, {}, address)).toMatchObject({ status: 404 });
  const many = await Promise.all(Array.from({ length: 40 }, () => post('/api/setup', '{}', {}, address)));
  expect(many.map(({ status }) => status)).toEqual(many.map(() => 404));
});

test('an invitation is refused by its token before its other fields are checked', async () => {
  const rest = { name: blanks(7_000), password: blanks(7_000), unknown: 1 };
  expect(await post('/api/invite', JSON.stringify({ token: 'no token', ...rest }))).toMatchObject({ status: 404 });
  expect(await post('/api/invite', JSON.stringify(rest))).toMatchObject({ status: 400 });
  expect(await post('/api/invite', JSON.stringify({ token: TOKEN, ...rest }))).toMatchObject({ status: 400 });
});

test('too many attempts of an address are refused before their bodies are read', async () => {
  const address = freshAddress();
  const attempts = [];
  for (let attempt = 0; attempt < 31; attempt += 1) attempts.push(await post('/api/invite', '{', {}, address));
  expect(attempts.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
});

test('a member’s texts of 250 kB are refused at once', async () => {
  const tenant = await makeTenant();
  const owner = await makePerson(tenant.id, 'OWNER', 'Olivia Owner', 'a password of the owner');
  const cookie = await openSessionOf(owner);
  const headers = { cookie, ...(await tenantHeader(origin, cookie)) };
  const response = { clientDataJSON: 'a', attestationObject: 'a' };
  const passkey = { id: 'a', rawId: 'a', type: 'public-key', response, clientExtensionResults: {} };
  const inputs: [string, (text: string) => object][] = [
    ['second_factor.add_passkey', (name) => ({ name, response: passkey })],
    ['keys.issue', (name) => ({ application_id: 'app', name, expires_at: null })],
    ['team.invite', (email) => ({ email, role: 'SUPPORT' })],
    ['catalog.transfer.check', (text) => ({ text })],
  ];
  for (const [procedure, input] of inputs) {
    const text = procedure === 'catalog.transfer.check' ? '['.repeat(250_000) : blanks(250_000);
    const reply = await post(`/api/trpc/${procedure}`, JSON.stringify(input(text)), headers);
    expect([procedure, reply.status]).toEqual([procedure, procedure === 'catalog.transfer.check' ? 200 : 400]);
    expect(reply.ms, procedure).toBeLessThan(PROMPT);
    expect(reply.text.length, procedure).toBeLessThan(2_000);
  }
});

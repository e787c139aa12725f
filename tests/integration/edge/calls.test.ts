import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { cookieName } from '@/lib/access/owners/cookies';
import { freshAddress } from '@/tests/support/client';
import { makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

const BATCH = Array(10).fill('session.me').join(',');
const REFUSED = {
  error: { code: -32001, data: { code: 'sign_in_required', httpStatus: 401, fields: [], reason: null } },
};

/** Returns a function that sends a batch of ten calls from one address. */
function sender(address = freshAddress()) {
  return async (cookie: string | null, tenant = '') => {
    const dispatcher = new Agent({ localAddress: address });
    const answer = await request(`http://127.0.0.1:${new URL(origin).port}/api/trpc/${BATCH}?batch=1&input=%7B%7D`, {
      dispatcher,
      headers: { 'x-partner-booking': 'control-center', 'x-tenant': tenant, ...(cookie && { cookie }) },
    });
    const text = await answer.body.text();
    await dispatcher.close();
    return { status: answer.statusCode, text };
  };
}

test.each([
  ['without a session', null],
  ['with another cookie', 'theme=dark'],
  ['with an invalid session', `${cookieName('session')}=x.y.z`],
])('a batch %s gets one answer for all its calls', async (_, cookie) => {
  const { status, text } = await sender()(cookie);
  expect([status, JSON.parse(text)]).toMatchObject([401, REFUSED]);
});

test('calls with invalid sessions are limited per network, and those of members in it are not', async () => {
  const address = freshAddress();
  const send = sender(address);
  const tenant = await makeTenant();
  const cookie = await openSessionOf(await makePerson(tenant.id));
  expect((await send(cookie, tenant.id)).status).toBe(200);
  const statuses: number[] = [];
  for (let round = 0; round < 13; round += 1) {
    const sent = await Promise.all(Array.from({ length: 10 }, () => send(`${cookieName('session')}=x.y.z`)));
    statuses.push(...sent.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  // Valid requests of this network are answered as before, and those without a cookie cost nothing.
  expect((await send(cookie, tenant.id)).status).toBe(200);
  expect((await send(null)).status).toBe(401);
  expect((await sender()(`${cookieName('session')}=x.y.z`)).status).toBe(401);
});

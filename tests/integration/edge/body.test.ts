import { describe, expect, it } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { createBooking } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, makePerson, openSessionOf, tenantHeader } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { type Answer, expectContract, open, type Raw } from './raw';

const MEGABYTE = 1024 * 1024;
const PORT = Number(new URL(sharedServer().origin).port);

const request = (first: string, more: string) => `${first} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

describe('unread bodies', () => {
  it.each([
    'GET /api/partner/v1/catalog',
    'POST /api/partner/v1/catalog',
    'POST /api/partner/v1/bookings',
    'PUT /api/partner/v1/none',
  ])('%s with 1 MB gets a response, and the connection stays open', async (first) => {
    const raw = await open(PORT);
    raw.send(request(first, `Content-Length: ${MEGABYTE}\r\n`));
    raw.send(Buffer.alloc(MEGABYTE, 'a'));
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    raw.send(request('GET /api/partner/v1/catalog', ''));
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    raw.socket.destroy();
  });
});

describe('malformed bodies', () => {
  it('an invalid chunk gets one response, and the connection closes', async () => {
    const raw = await open(PORT);
    raw.send(`${request('POST /api/partner/v1/catalog', 'Transfer-Encoding: chunked\r\n')}zz\r\n`);
    expectContract(await raw.answer(), 400, 'invalid_request');
    expect(await raw.closed()).toBe('');
  });

  it('an invalid chunk of a pipelined request does not affect earlier responses', async () => {
    const raw = await open(PORT);
    const good = request('GET /api/partner/v1/catalog', '');
    raw.send(`${good}${good}${request('POST /api/partner/v1/catalog', 'Transfer-Encoding: chunked\r\n')}zz\r\n`);
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    expectContract(await raw.answer(), 400, 'invalid_request');
    expect(await raw.closed()).toBe('');
  });
});

describe('incomplete bodies with a valid key', () => {
  const write = (key: string, framing: string) =>
    request(
      'POST /api/partner/v1/bookings',
      `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nIdempotency-Key: ${newId('req')}\r\n${framing}\r\n`,
    );
  const LENGTH = 'Content-Length: 200';
  const CHUNKED = 'Transfer-Encoding: chunked';

  it.each<[string, string, string[], 'close' | 'end' | 'reset' | 'keep']>([
    ['half a body, and the connection closes', LENGTH, ['{"a"'], 'close'],
    ['half a body, and the client stops to send', LENGTH, ['{"a"'], 'end'],
    ['half a body, and the connection is reset', LENGTH, ['{"a"'], 'reset'],
    ['no body, and the connection closes', LENGTH, [], 'close'],
    ['a body that is announced as one gigabyte', 'Content-Length: 1000000000', ['{"a"'], 'close'],
    ['an invalid chunk in the first packet', CHUNKED, ['zz\r\n'], 'keep'],
    ['an invalid chunk in a later packet', CHUNKED, ['4\r\n{"a"\r\n', 'zz\r\n'], 'keep'],
    ['an expected 100, and the connection closes', `${LENGTH}\r\nExpect: 100-continue`, [], 'close'],
  ])('%s: later writes of the application are not held up', async (_, framing, parts, ending) => {
    const { key, service, location, applicationId } = await makeBusiness();
    const answers: Answer[] = [];
    for (let count = 0; count < 20; count += 1) {
      const raw = await open(PORT);
      const [first = '', ...later] = parts;
      raw.send(write(key, framing) + first);
      for (const part of later) {
        await received(key);
        raw.send(part);
      }
      if (ending === 'keep') answers.push(await raw.answer());
      else await received(key);
      if (ending === 'close') raw.socket.destroy();
      if (ending === 'reset') raw.socket.resetAndDestroy();
      if (ending === 'end') {
        raw.socket.end();
        answers.push(await raw.answer());
      }
      raw.socket.destroy();
    }
    await expectBooked({ key, service, location });
    for (const answer of answers) {
      expectContract(answer, 400, 'invalid_request');
      expect(answer.headers.get('connection')).toBe('close');
    }
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
    const logged = () => db().requestLog.findMany({ where: { requestId: { in: ids } } });
    await expect.poll(logged).toHaveLength(ids.length);
    // A malformed first packet is refused before the key is read.
    if (parts[0] !== 'zz\r\n')
      expect(new Set((await logged()).map((line) => line.applicationId))).toEqual(
        new Set(ids.length > 0 ? [applicationId] : []),
      );
  });

  it('bodies that are still being sent keep no place from later writes', async () => {
    const business = await makeBusiness();
    const slow: Raw[] = [];
    for (let count = 0; count < 20; count += 1) {
      const raw = await open(PORT);
      raw.send(`${write(business.key, LENGTH)}{"a"`);
      slow.push(raw);
    }
    await received(business.key);
    await expectBooked(business);
    for (const { send } of slow) send('x'.repeat(196));
    for (const { answer } of slow) expectContract(await answer(), 400, 'invalid_request');
    for (const { socket } of slow) socket.destroy();
  });

  type Business = Pick<Awaited<ReturnType<typeof makeBusiness>>, 'key' | 'service' | 'location'>;

  async function expectBooked({ key, service, location }: Business): Promise<void> {
    const client = createClient({ origin: sharedServer().origin, key });
    const place = { service_id: service.id, location_id: location.id, date: dayAhead(), start_time: '09:00' };
    const body = { ...place, external_reference: 'x', customer: CUSTOMER };
    expect((await post(client, BOOKINGS, createBooking, body)).status).toBe(201);
  }

  /** The server handles the connections of a process in turn, so it has then read what was sent before. */
  async function received(key: string): Promise<void> {
    await createClient({ origin: sharedServer().origin, key })(CATALOG);
  }
});

describe('incomplete bodies of the Control Center', () => {
  it.each(['close', 'end', 'keep'] as const)('later calls of the tenant are not held up: %s', async (ending) => {
    const { tenant } = await makeBusiness();
    const cookie = await openSessionOf(await makePerson(tenant.id));
    const { [TENANT_HEADER]: tenantId = '' } = await tenantHeader(sharedServer().origin, cookie);
    const head = `X-Partner-Booking: control-center\r\n${TENANT_HEADER}: ${tenantId}\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: 200\r\n`;
    const me = () => callProcedure('team.list', { origin: sharedServer().origin, cookie, type: 'query' });
    const hung: Raw[] = [];
    for (let count = 0; count < 6; count += 1) {
      const raw = await open(PORT);
      raw.send(`${request('POST /api/trpc/team.invite', head)}{"email"`);
      await me();
      if (ending === 'close') raw.socket.destroy();
      if (ending === 'end') raw.socket.end();
      hung.push(raw);
    }
    expect(await me()).toMatchObject({ status: 200 });
    if (ending === 'keep') {
      // The calls had really begun, and end with their bodies.
      for (const { send } of hung) send('x'.repeat(192));
      for (const { answer } of hung) expect((await answer()).body).toContain('invalid_request');
    }
    for (const { socket } of hung) socket.destroy();
    expect(await me()).toMatchObject({ status: 200 });
  });
});

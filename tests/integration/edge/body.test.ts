import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../support/shared';
import { expectContract, open } from './raw';

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

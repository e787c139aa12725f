import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../support/shared';
import { expectContract, open, type Raw } from './raw';

const MEGABYTE = 1024 * 1024;
const PORT = Number(new URL(sharedServer().origin).port);

const request = (first: string, more: string) => `${first} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

/** Sends chunks until the connection closes or `most` bytes are sent. Returns the number of bytes sent. */
async function flood(raw: Raw, most: number): Promise<number> {
  const block = Buffer.alloc(64 * 1024, 'a');
  let sent = 0;
  while (sent < most && raw.socket.writable) {
    const taken =
      raw.socket.write(`${block.length.toString(16)}\r\n`) && raw.socket.write(block) && raw.socket.write('\r\n');
    sent += block.length;
    if (taken) await new Promise((resolve) => setImmediate(resolve));
    else await new Promise((resolve) => raw.socket.once('drain', resolve).once('close', resolve));
  }
  return sent;
}

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

  it('a client that sends slowly and closes gets the whole response without a reset', async () => {
    const raw = await open(PORT);
    let reset = false;
    raw.socket.on('error', () => {
      reset = true;
    });
    raw.send(request('POST /api/partner/v1/catalog', `Content-Length: ${MEGABYTE}\r\nConnection: close\r\n`));
    raw.send(Buffer.alloc(MEGABYTE / 2, 'a'));
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    raw.send(Buffer.alloc(MEGABYTE / 2, 'a'));
    expect(await raw.closed()).toBe('');
    expect(reset).toBe(false);
  });

  it.each([
    ['GET', '/api/partner/v1/catalog', `Content-Length: ${3 * MEGABYTE}`],
    ['POST', '/api/partner/v1/bookings', `Content-Length: ${3 * MEGABYTE}`],
    ['POST', '/api/partner/v1/bookings', 'Transfer-Encoding: chunked'],
  ])('%s %s with %s of an unsent body gets a response that announces the close', async (method, path, announced) => {
    const raw = await open(PORT);
    raw.send(request(`${method} ${path}`, `${announced}\r\n`));
    const answer = await raw.answer();
    expectContract(answer, 401, 'invalid_api_key');
    expect(answer.headers.get('connection')).toBe('close');
    await raw.closed();
  });

  it.each(['', 'Connection: close\r\n'])('an endless body is cut off (%j)', async (more) => {
    const raw = await open(PORT);
    raw.send(request('POST /api/partner/v1/catalog', `Transfer-Encoding: chunked\r\n${more}`));
    const flooded = flood(raw, 200 * MEGABYTE);
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    expect(await flooded).toBeLessThan(50 * MEGABYTE);
    await raw.closed();
  });

  it('endless garbage after a malformed head is cut off', async () => {
    const raw = await open(PORT);
    raw.send('nonsense\r\n\r\n');
    expectContract(await raw.answer(), 400, 'invalid_request');
    expect(await flood(raw, 200 * MEGABYTE)).toBeLessThan(50 * MEGABYTE);
    await raw.closed();
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

import assert from 'node:assert/strict';
import { expectRefusal, type World } from '../world';

/** A different last character makes the checksum wrong. */
function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
}

/** Checks the responses to a missing or invalid key (contract B2, steps 1 and 2) and the generation of request ids. */
export async function authentication({ wire, check }: World): Promise<void> {
  const { key } = wire.options;
  await check('A', 'a request without a key gets a 401 with WWW-Authenticate and the reason “missing”', async () => {
    const reply = await wire.send('/catalog', { key: null });
    expectRefusal(reply, 401, 'invalid_api_key', 'missing');
    assert.equal(reply.headers['www-authenticate'], 'Bearer');
  });
  await check('B10', 'a mistyped key gets a 401 with malformed', async () => {
    expectRefusal(await wire.send('/catalog', { key: mistyped(key) }), 401, 'invalid_api_key', 'malformed');
  });
  await check('B3', 'a key of the other environment gets a 401 with wrong_environment', async () => {
    const other = key.replace('pbk_test_', 'pbk_live_');
    expectRefusal(await wire.send('/catalog', { key: other }), 401, 'invalid_api_key', 'wrong_environment');
  });
  await check('B2', 'authentication comes before routing: an unknown route without a key gets a 401', async () => {
    expectRefusal(await wire.send('/nothing', { key: null }), 401, 'invalid_api_key');
  });
  await check('B2', 'a key of 40 KB gets a 401', async () => {
    expectRefusal(await wire.send('/catalog', { key: 'k'.repeat(40_000) }), 401, 'invalid_api_key');
  });
  await check('A', 'the response does not contain a refused key', async () => {
    const marker = 'pbk_test_confidential0000000000000000000000000';
    const reply = await wire.send('/catalog', { key: marker });
    assert.ok(!reply.text.includes('confidential'));
  });
  await check('A', 'the server generates request ids and ignores the client’s', async () => {
    const own = 'req_01jd8x4t5wf3rbq0zk6m7n8p9q';
    const replies = [await wire.send('/catalog', { headers: { 'x-request-id': own } }), await wire.send('/catalog')];
    const ids = replies.map(({ headers }) => headers['x-request-id']);
    assert.ok(!ids.includes(own));
    assert.notEqual(ids[0], ids[1]);
  });
}

/** Of an address per minute. Further failures get a 429 (contract B2). */
const FAILURES = 30;

/**
 * Checks the limit on failed authentications (contract B2). Only on request, and last, because the server then answers
 * failed authentications from this address with a 429 for up to a minute.
 */
export async function failures({ wire, check }: World): Promise<void> {
  await check(
    'B2',
    `after ${FAILURES} failed authentications in a minute, the next one gets a 429 with failed_authentication`,
    async () => {
      let reply = await wire.send('/catalog', { key: null, limited: true });
      // If a new minute begins during this loop, the server counts failures from zero again.
      for (let sent = 1; reply.status !== 429 && sent <= 2 * FAILURES; sent += 1) {
        expectRefusal(reply, 401, 'invalid_api_key', 'missing');
        reply = await wire.send('/catalog', { key: null, limited: true });
      }
      expectRefusal(reply, 429, 'rate_limited', 'failed_authentication');
    },
  );
  await check('B2', 'a valid key is accepted despite failures from its address', async () => {
    assert.equal((await wire.send('/catalog')).status, 200);
  });
}

/** Checks step 5 of contract B2: unknown routes get a 404, and methods that a route does not allow get a 405. */
export async function routing({ wire, check }: World): Promise<void> {
  const unknown = ['/nothing', '/catalog/', '//catalog', '/Catalog', '/catalog/%2e%2e/catalog', '/catalog/%zz'];
  for (const path of unknown) {
    await check('B2', `${path} is an unknown route: 404, no redirect`, async () => {
      expectRefusal(await wire.send(path), 404, 'not_found', 'unknown_route');
    });
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    await check('B2', `${method} /catalog gets a 405 with Allow`, async () => {
      const reply = await wire.send('/catalog', { method });
      expectRefusal(reply, 405, 'invalid_request');
      assert.equal(reply.headers.allow, 'GET');
    });
  }
  await check('B2', 'HEAD gets a 405', async () => {
    assert.equal((await wire.send('/catalog', { method: 'HEAD' })).status, 405);
  });
  await check('B2', 'invalid UTF-8 in the query gets a 400', async () => {
    expectRefusal(await wire.send('/catalog?locale=%ff'), 400, 'invalid_request');
  });
  await check('B3', 'an unknown action gets a 404 with unknown_route', async () => {
    const reference = `pbr_${'0'.repeat(26)}`;
    const action = await wire.send(`/bookings/${reference}/actions/burn`, { method: 'POST' });
    expectRefusal(action, 404, 'not_found', 'unknown_route');
  });
}

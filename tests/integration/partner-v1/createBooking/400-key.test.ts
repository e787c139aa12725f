import { beforeAll, expect, test } from 'vitest';
import { createBooking } from '@/lib/contract/operations';
import { countRows, expectFields, NOTHING } from '@/tests/support/booking-rows';
import { BOOKINGS, type Desk, makeDesk } from '@/tests/support/bookings';
import { checkReply } from '@/tests/support/client';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { sendRaw } from '@/tests/support/raw';
import { sharedServer } from '@/tests/support/shared';

const FIELD = 'Idempotency-Key';
let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

/**
 * Sends one Idempotency-Key header per value, including values that HTTP clients refuse to send. The server checks
 * the header before the body, which is empty.
 */
async function sendKey(...values: string[]) {
  const sentAt = Date.now();
  const { status, headers, text } = await sendRaw(sharedServer().origin, BOOKINGS, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${desk.key}`,
      'content-type': 'application/json',
      'content-length': '0',
      [FIELD]: values.join(`\r\n${FIELD}: `),
    },
  });
  return checkReply(status, headers, text, sentAt);
}

test('requires an idempotency key', async () => {
  const reply = await desk.client(BOOKINGS, {
    operation: createBooking,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(desk.body()),
  });
  expectFields(reply, [FIELD], 'idempotency_key_required');
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
});

test.for([
  '',
  '""',
  '" "',
  'k'.repeat(15),
  'k'.repeat(129),
  'k'.repeat(4_000),
  `"${'k'.repeat(15)}"`,
  `"${'k'.repeat(129)}"`,
])('rejects an idempotency key shorter than 16 or longer than 128 characters without its quotes: %j', async (key) => {
  expectFields(await desk.create(desk.body(), { key }), [FIELD]);
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
});

const GOOD_KEYS = [
  'k'.repeat(16),
  'k'.repeat(128),
  `"${'q'.repeat(16)}"`,
  `"${'q'.repeat(128)}"`,
  `"${'k'.repeat(15)}`,
  `'${'k,;=\\"~!'.repeat(2)}'`,
];

test('accepts an idempotency key of 16 to 128 characters, each as another one', async () => {
  const { create, body } = await makeDesk({ service: { capacity: GOOD_KEYS.length } });
  for (const key of GOOD_KEYS) {
    const { status, headers } = await create(body(), { key });
    expect([key, status, headers['idempotent-replayed']]).toEqual([key, 201, undefined]);
  }
});

test.for([
  'two words of a key',
  'tab\tin the middle of',
  'a-key-with-ümlauts-in-it',
  `${'k'.repeat(20)}\u00a0`,
  'k\u0080'.repeat(10),
])('rejects an idempotency key with white space or non-ASCII characters: %j', async (key) => {
  expectFields(await sendKey(key), [FIELD]);
});

test.for(['\u0000', '\u0001', '\u0007', '\u000b', '\u001b', '\u001f', '\u007f'])(
  'rejects an idempotency key with a control character: %j',
  async (character) => {
    const reply = await sendKey(`${'k'.repeat(20)}${character}kk`);
    expect([reply.status, reply.error.code]).toEqual([400, 'invalid_request']);
  },
);

test('rejects a repeated Idempotency-Key header, even with equal values', async () => {
  const [one, two] = ['one-key-of-this-test', 'two-key-of-this-test'];
  expectFields(await sendKey(one, two), [FIELD]);
  expectFields(await sendKey(one, one), [FIELD]);
  expectFields(await sendKey(one, ''), [FIELD]);
  // Joined with a comma and a space, the two values have 16 characters, which is a valid length.
  expectFields(await sendKey('k'.repeat(7), 'k'.repeat(7)), [FIELD]);
});

test('does not echo a rejected idempotency key', async () => {
  const sent = marker();
  expectNoEcho(await sendKey(`${sent} ${sent}`), sent);
});

test('checks the idempotency key before the body', async () => {
  expectFields(await desk.create('{', { key: 'short' }), [FIELD]);
});

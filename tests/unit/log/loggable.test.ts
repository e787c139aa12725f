import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loggableError, loggableMessage } from '@/lib/platform/loggable';

const SAID = 'Quirin "Q" O\'Hara\n    at home.ts:1:2';

test.each([
  ['invalid input syntax for type uuid: "%"', 'invalid input syntax for type uuid: …'],
  ['Raw query failed. Code: `23505`. Message: `Key (email)=(%) already exists.`', 'Raw query failed. Code: …'],
  ['Unexpected token \'Q\', "%"... is not valid JSON', 'Unexpected token …... is not valid JSON'],
  ['Key (email)=(%) already exists.', 'Key (email)=(…) already exists.'],
  ["Can't reach database server at `db:5432`", "Can't reach database server at …"],
])('of %j nothing is told that it quotes', (message, told) => {
  expect(loggableMessage(message.replace('%', SAID))).toBe(told);
});

test('messages of PostgreSQL that quote names of ours stay whole, others do not', () => {
  const message = 'relation "rate_limits" does not exist';
  expect(loggableMessage(message, '42P01')).toBe(message);
  expect(loggableMessage(message, '22P02')).toBe('relation … does not exist');
  expect(loggableMessage('new row violates check constraint "x"', '23514')).not.toContain('x"');
});

test('an error tells its kind, its words and where, and so do its causes', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED', input: SAID });
  const error = Object.assign(new TypeError(`bad value "${SAID}"`, { cause }), {
    code: '23505',
    constraint: 'users_email_key',
    table: 'users',
    detail: `Key (email)=(${SAID})`,
    meta: { driverAdapterError: new Error(SAID), target: [SAID] },
  });
  const told = loggableError(error);
  expect(told).toMatchObject({
    type: 'TypeError',
    message: 'bad value …',
    code: '23505',
    constraint: 'users_email_key',
    table: 'users',
    cause: { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
  });
  expect(String(told.stack)).toContain('loggable.test.ts');
  expect(JSON.stringify(told)).not.toMatch(/Quirin|Hara|home\.ts/);
});

test('whatever is quoted, and whatever a property beside the message holds, is not told', () => {
  const hostile = fc.string({ minLength: 1, maxLength: 60 }).map((text) => `Zzyzx${text}Zzyzx`);
  fc.assert(
    fc.property(hostile, fc.constantFrom('"', '`', "'"), (text, quote) => {
      const error = Object.assign(new Error(`refused: ${quote}${text}${quote}`), {
        detail: text,
        input: text,
        code: text,
      });
      error.cause = { originalMessage: text, kind: 'data' };
      // A code is told when it is a word: who makes a word of a value has to answer for it.
      const { code: _, ...told } = loggableError(error);
      expect(JSON.stringify(told)).not.toContain('Zzyzx');
    }),
  );
});

test('what is thrown but no error tells its type alone, and causes that go round end', () => {
  expect(loggableError('a text')).toEqual({ type: 'string' });
  expect(loggableError(null)).toEqual({ type: 'object' });
  const round = new Error('round');
  round.cause = round;
  expect(JSON.stringify(loggableError(round)).match(/round/g)?.length).toBeLessThan(50);
});

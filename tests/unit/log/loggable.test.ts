import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loggableError, loggableMessage } from '@/lib/platform/loggable';

const QUOTED = 'Quirin "Q" O\'Hara\n    at home.ts:1:2';

test.each([
  ['invalid input syntax for type uuid: "%"', 'invalid input syntax for type uuid: …'],
  ['Raw query failed. Code: `23505`. Message: `Key (email)=(%) already exists.`', 'Raw query failed. Code: …'],
  ['Unexpected token \'Q\', "%"... is not valid JSON', 'Unexpected token …... is not valid JSON'],
  ['Key (email)=(%) already exists.', 'Key (email)=(…) already exists.'],
  ["Can't reach database server at `db:5432`", "Can't reach database server at …"],
])('quoted text is removed from %j', (message, redacted) => {
  expect(loggableMessage(message.replace('%', QUOTED))).toBe(redacted);
});

test('PostgreSQL messages that quote only identifiers are kept, others are redacted', () => {
  const message = 'relation "rate_limits" does not exist';
  expect(loggableMessage(message, '42P01')).toBe(message);
  expect(loggableMessage(message, '22P02')).toBe('relation … does not exist');
  expect(loggableMessage('new row violates check constraint "x"', '23514')).not.toContain('x"');
});

test('the type, safe properties, frames, and causes of an error are logged', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
    code: 'ECONNREFUSED',
    input: QUOTED,
  });
  const error = Object.assign(new TypeError(`bad value "${QUOTED}"`, { cause }), {
    code: '23505',
    constraint: 'users_email_key',
    table: 'users',
    detail: `Key (email)=(${QUOTED})`,
    meta: { driverAdapterError: new Error(QUOTED), target: [QUOTED] },
  });
  const logged = loggableError(error);
  expect(logged).toMatchObject({
    type: 'TypeError',
    message: 'bad value …',
    code: '23505',
    constraint: 'users_email_key',
    table: 'users',
    cause: { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
  });
  expect(String(logged.stack)).toContain('loggable.test.ts');
  expect(JSON.stringify(logged)).not.toMatch(/Quirin|Hara|home\.ts/);
});

test('neither quoted text nor the values of other properties are logged', () => {
  const hostile = fc.string({ minLength: 1, maxLength: 60 }).map((text) => `Zzyzx${text}Zzyzx`);
  fc.assert(
    fc.property(hostile, fc.constantFrom('"', '`', "'"), (text, quote) => {
      const error = Object.assign(new Error(`refused: ${quote}${text}${quote}`), {
        detail: text,
        input: text,
        code: text,
      });
      error.cause = { originalMessage: text, kind: 'data' };
      // `code` is not checked, because a `code` that looks like an identifier is logged on purpose.
      const { code: _, ...logged } = loggableError(error);
      expect(JSON.stringify(logged)).not.toContain('Zzyzx');
    }),
  );
});

test('only the type of a thrown non-error is logged, and cyclic causes end', () => {
  expect(loggableError('a string')).toEqual({ type: 'string' });
  expect(loggableError(null)).toEqual({ type: 'object' });
  const cyclic = new Error('cyclic');
  cyclic.cause = cyclic;
  expect(JSON.stringify(loggableError(cyclic)).match(/cyclic/g)?.length).toBeLessThan(50);
});

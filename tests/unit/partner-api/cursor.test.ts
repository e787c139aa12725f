import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { AppError } from '@/lib/contract/errors/app-error';
import { readCursor, writeCursor } from '@/lib/http/partner-api/cursor';

beforeAll(() => {
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

const position = fc.string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' });
const scope = fc.record({
  applicationId: fc.string({ maxLength: 10 }),
  operation: fc.constantFrom('listCatalog', 'listSpecialists'),
  filters: fc.array(fc.option(fc.string({ maxLength: 5 })), { maxLength: 3 }),
});

function mismatch(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'invalid_request', reason: 'cursor_mismatch', fields: [{ path: 'cursor' }] });
    return;
  }
  expect.unreachable('the cursor was taken');
}

test('cursors round-trip and are deterministic', () => {
  fc.assert(
    fc.property(scope, position, (of, at) => {
      expect(readCursor(of, writeCursor(of, at))).toBe(at);
      expect(writeCursor(of, at)).toBe(writeCursor(of, at));
      expect(writeCursor(of, at)).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

test('a cursor of another application, operation, or filter is refused', () => {
  fc.assert(
    fc.property(scope, scope, position, (one, other, at) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other));
      mismatch(() => readCursor(other, writeCursor(one, at)));
    }),
  );
});

test('adjacent filters are not confused', () => {
  const of = (...filters: (string | null)[]) => ({ applicationId: 'app', operation: 'list', filters });
  const all = [
    of('a', 'b'),
    of('ab', ''),
    of('', 'ab'),
    of('a', null),
    of(null, 'a'),
    of('a'),
    of('null', 'a'),
    of('a,b'),
  ];
  for (const [i, one] of all.entries()) {
    for (const [j, other] of all.entries()) {
      const cursor = writeCursor(one, 'x');
      if (i === j) expect(readCursor(other, cursor)).toBe('x');
      else mismatch(() => readCursor(other, cursor));
    }
  }
});

test('a changed, truncated, or extended cursor is refused', () => {
  fc.assert(
    fc.property(
      scope,
      position,
      fc.nat(),
      fc.string({ maxLength: 3 }),
      fc.nat({ max: 3 }),
      (of, at, where, text, drop) => {
        const cursor = writeCursor(of, at);
        const start = where % (cursor.length + 1);
        const changed = cursor.slice(0, start) + text + cursor.slice(start + drop);
        fc.pre(changed !== cursor);
        mismatch(() => readCursor(of, changed));
      },
    ),
    { numRuns: 2000 },
  );
});

test('random text of any length is not a cursor', () => {
  const of = { applicationId: 'app', operation: 'listCatalog', filters: [] };
  fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => mismatch(() => readCursor(of, text))));
  for (const length of [0, 21, 22, 23, 400, 401, 10_240, 1_000_000]) mismatch(() => readCursor(of, 'A'.repeat(length)));
});

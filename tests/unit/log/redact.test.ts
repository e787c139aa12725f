import { expect, test } from 'vitest';
import { withoutSecrets } from '@/lib/platform/redact';

test.each([
  ['key pbk_test_abc123, secret whsec_a+b/c=', 'key [key], secret [secret]'],
  ['"postgres://u:p@ss@db:5432/x" postgresql://db/x', '"postgres://[credentials]@db:5432/x" postgresql://db/x'],
  ['Bearer abc.def of /invite/a-b_c', 'Bearer [token] of /invite/[token]'],
  ['GET /api/calendar/a-b_c HTTP/1.1', 'GET /api/calendar/[token] HTTP/1.1'],
  ['to <ana.b@salon.example>, "c@d.co"', 'to <[email]>, "[email]"'],
  ['"mail=a@b.co1@c.de"', '"mail=[email]"'],
  ['at @salon.example, a@b, a@b.c', 'at @salon.example, a@b, a@b.c'],
  ['call +49 (30) 123-4567!', 'call [phone]!'],
])('secrets and personal data are removed from %j', (line, redacted) => {
  expect(withoutSecrets(line)).toBe(redacted);
});

// A pattern that takes quadratic time would take minutes for each of these lines.
test.each(['a', '@', 'a@', 'a.', '.a@a.', 'postgres://', 'pbk_', '+1', '/setup/', 'bearer '])(
  'a long line of %j takes no long time',
  (part) => {
    expect(withoutSecrets(part.repeat(300_000 / part.length))).not.toBe('');
  },
);

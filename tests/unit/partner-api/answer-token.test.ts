import { beforeAll, expect, test } from 'vitest';
import { answerToken, isAnswerToken } from '@/lib/platform/answer-token';
import { beginFile } from '../../support/fresh-process';

beforeAll(() => beginFile({ DATABASE_URL: 'postgresql://unused@127.0.0.1:1/unused', SECRET_KEY: 'x'.repeat(32) }));

const ASKED = { tenantId: 'ten_a', applicationId: 'app_a', operation: 'listCatalog', filters: '[{},"en"]' };

test('a token depends on the whole query and answer, not on where the answer is split', () => {
  const token = answerToken(ASKED, ['"a":', Buffer.from('1')]);
  expect(answerToken({ ...ASKED }, ['"a"', ':1'])).toBe(token);
  expect(token).toMatch(/^[\w-]{32}$/);
  const others = [
    ...Object.keys(ASKED).map((name) => answerToken({ ...ASKED, [name]: 'other' }, ['"a":1'])),
    answerToken(ASKED, ['"a":2']),
  ];
  expect(new Set([token, ...others]).size).toBe(6);
});

test('a token proves its tenant', () => {
  const token = answerToken(ASKED, ['1']);
  expect(isAnswerToken('ten_a', token)).toBe(true);
  expect(isAnswerToken('ten_b', token)).toBe(false);
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A';
    expect(isAnswerToken('ten_a', token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
  }
  for (const text of ['', token.slice(1), `${token}A`, 'é'.repeat(32)])
    expect(isAnswerToken('ten_a', text)).toBe(false);
});

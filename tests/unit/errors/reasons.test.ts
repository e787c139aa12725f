import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { API_ERRORS, type ApiErrorCode } from '@/lib/contract/errors/api-errors';
import { type HelpCase, helpFor } from '@/lib/contract/errors/help';
import { type ErrorReason, REASONS, reasonsOf } from '@/lib/contract/errors/reasons';
import { refusalsOf } from '@/lib/contract/errors/refusals';
import { ALL_OPERATIONS } from '@/lib/contract/operations';
import { API_REASONS } from '@/tests/support/error-table';
import { messagesOf } from '@/tests/support/messages';

const CODES = Object.keys(API_ERRORS) as ApiErrorCode[];
const NAMES = Object.keys(REASONS) as ErrorReason[];

test('the reasons of the public API, their codes and their operations match the contract', () => {
  const found = NAMES.map((name) => [name, [REASONS[name].code, [...REASONS[name].operations].sort()]]);
  const expected = Object.entries(API_REASONS).map(([name, [code, operations]]) => [
    name,
    [code, [...operations].sort()],
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

test('an operation refuses with the reasons of the table', () => {
  for (const operation of ALL_OPERATIONS) {
    const reasons = Object.values(refusalsOf(operation)).flat();
    const expected = NAMES.filter((name) => API_REASONS[name][1].includes(operation.id));
    expect([...reasons].sort(), operation.id).toEqual(expected.sort());
  }
});

test.each(CODES)('docs/partner/errors/%s.md has a row for each reason', (code) => {
  const page = readFileSync(`docs/partner/errors/${code}.md`, 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| \S/gm)].map(([, reason]) => reason);
  expect(rows.sort()).toEqual([...reasonsOf(code)].sort());
});

test.each(CODES)('section B3 of the contract lists the reasons of %s', (code) => {
  const contract = readFileSync('docs/contract.md', 'utf8');
  const section = contract.slice(contract.indexOf('### B3.'), contract.indexOf('### B4.'));
  const rows = [...section.matchAll(/^\| `([a-z_]+)`(?:, of a \w+)? \| (.+) \|$/gm)].filter(
    ([, name]) => name === code,
  );
  const words = rows.flatMap(([, , cell = '']) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word));
  expect(words.filter((word) => word !== 'null').sort()).toEqual([...reasonsOf(code)].sort());
});

test('help comes from the reason, else from the code; an unknown code has none', () => {
  const { means, fix, remedy } = REASONS.slot_taken;
  const help = helpFor({ code: 'booking_unavailable', reason: 'slot_taken' });
  expect(help).toEqual({ key: 'reasons.slot_taken', means, fix, remedy });
  const unpublished = helpFor({ code: 'booking_unavailable', reason: 'service_unpublished' });
  expect(unpublished?.remedy).toBe('catalog');
  const general = helpFor({ code: 'booking_unavailable', reason: null });
  expect(helpFor({ code: 'booking_unavailable', reason: 'of_a_later_version' })).toEqual(general);
  expect(helpFor({ code: 'of_a_later_version', reason: null })).toBeNull();
});

test('the Requests page has the help for each code and reason, in English as the tables state it', () => {
  const { codes, reasons, cases } = messagesOf('en').requests.help;
  const textOf = (code: string, reason: string | null = null, known: HelpCase | null = null) => {
    const { means, fix } = helpFor({ code, reason, case: known }) ?? {};
    return { means, fix };
  };
  expect(codes).toEqual(Object.fromEntries(CODES.map((code) => [code, textOf(code)])));
  expect(reasons).toEqual(Object.fromEntries(NAMES.map((name) => [name, textOf(REASONS[name].code, name)])));
  const names = Object.keys(cases) as HelpCase[];
  expect(cases).toEqual(Object.fromEntries(names.map((name) => [name, textOf('not_found', null, name)])));
});

import { expect, test } from 'vitest';
import { spanText } from '@/app/t/[tenant]/_components/time/span';
import { takeEntries } from '@/app/t/[tenant]/applications/_components/policy/entry-list-field';
import {
  networkExtent,
  networkProblem,
  originProblem,
} from '@/app/t/[tenant]/applications/_components/policy/entry-rules';
import {
  changedParts,
  mergePolicies,
  NEW_POLICY,
  type Policy,
} from '@/app/t/[tenant]/applications/_components/policy/policy';
import { translatorFor } from '@/tests/support/messages';

const t = translatorFor('en', 'applications.entries');

const BASE: Policy = { ...NEW_POLICY, name: 'Partner', networks: ['10.0.0.0/8'] };

test('concurrent edits of different fields are merged, and conflicting fields are named', () => {
  const mine: Policy = { ...BASE, quota: 50, agents_ask: false, origins: ['https://mine.example'] };
  const theirs: Policy = { ...BASE, networks: [], origins: ['https://theirs.example'], all_locations: false };
  expect(mergePolicies(BASE, mine, theirs)).toEqual({
    policy: { ...theirs, quota: 50, agents_ask: false, origins: ['https://mine.example'] },
    both: ['origins'],
  });
});

test('equal concurrent changes do not conflict', () => {
  const same: Policy = { ...BASE, quota: 50 };
  expect(mergePolicies(BASE, same, same)).toEqual({ policy: same, both: [] });
});

test('the order of a list, and a location list when all locations are allowed, are not changes', () => {
  const policy: Policy = { ...BASE, networks: ['10.0.0.0/8', '::1'] };
  expect(changedParts(policy, { ...policy, networks: ['::1', '10.0.0.0/8'] })).toEqual([]);
  expect(changedParts(BASE, { ...BASE, location_ids: ['loc_a'] })).toEqual([]);
  expect(changedParts(BASE, { ...BASE, location_ids: ['loc_a'], all_locations: false })).toEqual(['locations']);
});

test('valid entries of a pasted list are accepted, and invalid ones remain for correction', () => {
  const taken = takeEntries(t, '10.0.0.1, 10.0.0.1;10.0.0.2\n300.1.1.1  ::1', ['::1'], (text) =>
    networkProblem(t, text),
  );
  expect(taken).toEqual({ added: ['10.0.0.1', '10.0.0.2'], left: '300.1.1.1' });
});

test.for([
  ['https://partner.example', null],
  ['https://partner.example/', 'Enter https://partner.example instead.'],
  ['https://PARTNER.example:443/path', 'Enter https://partner.example instead.'],
  ['partner.example', 'Start with https://'],
  ['https://', 'Not a valid URL'],
] as const)('the origin %s is valid or has a specific error: %s', ([text, problem]) => {
  if (problem === null) expect(originProblem(t, text)).toBeNull();
  else expect(originProblem(t, text)).toContain(problem);
});

test.for(['999.1.1.1', '10.0.0.0/33', '::1/129', '1.2.3', '0x7f.0.0.1', 'fe80::1%eth0', '٣.٣.٣.٣', '10/8', '-'])(
  '%s is no network',
  (text) => {
    expect(networkProblem(t, text)).toMatch(/^(Enter an IPv4|Use a prefix)/);
  },
);

test.for(['javascript:alert(1)', 'https://a..b', 'null', '*', 'https://partner.example/path'])(
  '%s is no origin',
  (text) => {
    expect(originProblem(t, text)).not.toBeNull();
  },
);

test('the size of a network is described', () => {
  expect(networkExtent(t, '203.0.113.0/24')).toBe('256 addresses.');
  expect(networkExtent(t, '203.0.113.7')).toBe('1 address.');
  expect(networkExtent(t, '0.0.0.0/0')).toBe('All IPv4 addresses.');
  expect(networkExtent(t, '2001:db8::/32')).toBe('2^96 addresses.');
  expect(networkExtent(t, 'nonsense')).toBeNull();
  expect(networkProblem(t, '2001:db8::/129')).toContain('0 to 128');
});

test('a duration is formatted with its two largest units', () => {
  const time = translatorFor('en', 'common.time');
  expect([86_400_000, 3_600_000, 3_599_000, 900, -5].map((span) => spanText(time, span))).toEqual([
    '1 d 0 h',
    '1 h 0 min',
    '59 min 59 s',
    '1 s',
    '0 s',
  ]);
});

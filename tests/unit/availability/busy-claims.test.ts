import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Claim, slotsForRange } from '@/lib/booking/availability';
import { busyClaims } from '@/lib/booking/availability/busy-claims';
import type { ClaimGroup } from '@/lib/booking/availability/claims';
import { anyCase, queryOf } from './cases';

/** Groups claims that differ only in their start. */
function groupsOf(claims: readonly Claim[]): ClaimGroup[] {
  const groups = new Map<string, { group: ClaimGroup; starts: number[] }>();
  for (const { startsAt, from, to, isOwn = false, ...shared } of claims) {
    const times = { durationMinutes: to - startsAt, bufferBefore: startsAt - from, bufferAfter: 0 };
    const group = { ...shared, ...times, isOwn, starts: new Int32Array() };
    const key = JSON.stringify(group);
    const { starts } = groups.get(key) ?? { starts: [] };
    groups.set(key, { group, starts: [...starts, startsAt] });
  }
  return [...groups.values()].map(({ group, starts }) => ({ ...group, starts: Int32Array.from(starts).sort() }));
}

it('leaves exactly the slots that the single claims leave', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(anyCase, (day) => {
      const query = queryOf(day);
      const claims = busyClaims(groupsOf(query.claims), query.service);
      expect(slotsForRange({ ...query, claims })).toEqual(slotsForRange(query));
    }),
    { numRuns: 300 },
  );
});

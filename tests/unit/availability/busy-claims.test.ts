import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Claim, slotsForRange } from '@/lib/booking/availability';
import { busyClaims } from '@/lib/booking/availability/busy-claims';
import type { ClaimGroup } from '@/lib/booking/availability/claims';
import { anyCase, queryOf } from './cases';
import { at, claim, query } from './fixtures';

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

it('keeps the own seat of a booking apart from the claims directly before and after it', () => {
  const claims = ['09', '10', '11'].map((hour) => claim(`2026-09-14T${hour}:00+02:00`, { isOwn: hour === '10' }));
  const setting = query();
  const slots = slotsForRange({ ...setting, claims: busyClaims(groupsOf(claims), setting.service) });
  expect(slots.map(({ startsAt }) => startsAt)).toEqual([at('2026-09-14T10:00+02:00')]);
});

it('keeps a gap of exactly one appointment with its buffers, and merges a shorter gap', () => {
  const service = { bufferBeforeMinutes: 10, durationMinutes: 30, bufferAfterMinutes: 20, slotIntervalMinutes: 5 };
  const setting = query({ service });
  const startsAfter = (second: string) => {
    const claims = [claim('2026-09-14T09:00+02:00'), claim(`2026-09-14T${second}+02:00`)];
    const merged = busyClaims(groupsOf(claims), setting.service);
    return slotsForRange({ ...setting, claims: merged }).map(({ startsAt }) => startsAt);
  };
  expect(startsAfter('11:00')).toEqual([at('2026-09-14T10:10+02:00')]);
  expect(startsAfter('10:59')).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { expectIntact } from '@/tests/support/invariants';
import { sharedServer } from '@/tests/support/shared';
import { repeats, SOAK } from '@/tests/support/soak';
import {
  cancelOf,
  createOf,
  createPartner,
  dayAhead,
  makeStage,
  outcomes,
  sellOut,
  warmUp,
} from '@/tests/support/storm';

const GUESTS = repeats(40, 200);
/** A service with three starts a day: 10:00, 12:00, and 14:00. */
const LONG = { durationMinutes: 120, slotIntervalMinutes: 120 };
const COMING = repeats(30, 60);
/** Milliseconds. The soak runs on an idle machine, `npm test` beside other tests. */
const BURST_WITHIN = 2_000;
const { origin } = sharedServer();

/** `npm test` runs the first two. */
const CASES = [
  { name: 'one specialist', specialists: 1, capacity: 1, seats: 1 },
  { name: 'several specialists with groups', specialists: 3, capacity: 3, seats: 9 },
  { name: 'several specialists', specialists: 5, capacity: 1, seats: 5 },
  { name: 'a group', specialists: 1, capacity: 12, seats: 12 },
].slice(0, repeats(2, 4));

describe.each(CASES)(`${GUESTS} concurrent creates for one slot of $name`, ({ specialists, capacity, seats }) => {
  test('books exactly the seats that availability shows; all others get slot_taken', async () => {
    const stage = await makeStage({ specialists, services: [{ ...LONG, capacity }], applications: 4 });
    const partners = stage.keys.map((key) => createPartner(origin, key));
    const [first = createPartner(origin, '')] = partners;
    const date = dayAhead(7);
    const shown = (await first.slots(stage.place, date)).find(({ start_time }) => start_time === '12:00');
    expect(shown?.available_capacity).toBe(seats);
    const storm = partners.flatMap((partner) =>
      Array.from({ length: GUESTS / partners.length }, () =>
        partner.insist(createOf(stage.place, { date, start_time: '12:00' })),
      ),
    );
    const replies = await Promise.all(storm);
    expect(outcomes(replies)).toEqual({ 201: seats, '409 slot_taken': GUESTS - seats });
    await expectIntact(stage.tenantId);
    expect((await first.slots(stage.place, date)).map(({ start_time }) => start_time)).not.toContain('12:00');
    const { rows } = await pool().query('SELECT taken FROM slot_claims WHERE tenant_id = $1', [stage.tenantId]);
    expect(rows).toEqual(Array.from({ length: specialists }, () => ({ taken: capacity })));
    expect(await sellOut(first, stage.place, date)).toBe(2 * seats);
    await expectIntact(stage.tenantId);
  }, 90_000);
});

test('a burst of 150 concurrent creates of one application is not an overload', async () => {
  const stage = await makeStage({ specialists: 5, services: [LONG] });
  const partner = createPartner(origin, stage.keys[0] ?? '');
  if (SOAK) await warmUp(origin);
  const startedAt = performance.now();
  // On a busy machine, a write can be refused after its longest wait. A refusal before is an overload.
  const send = SOAK ? partner.send : partner.insist;
  const burst = Array.from({ length: 150 }, () =>
    send(createOf(stage.place, { date: dayAhead(9), start_time: '10:00' })),
  );
  expect(outcomes(await Promise.all(burst))).toEqual({ 201: 5, '409 slot_taken': 145 });
  if (SOAK) expect(performance.now() - startedAt).toBeLessThan(BURST_WITHIN);
});

test('seats freed by concurrent cancellations are booked again exactly once', async () => {
  const stage = await makeStage({ specialists: 2, services: [{ ...LONG, capacity: 6 }] });
  const partner = createPartner(origin, stage.keys[0] ?? '');
  const wish = { date: dayAhead(8), start_time: '10:00' };
  const guests = await Promise.all(Array.from({ length: 12 }, () => partner.insist(createOf(stage.place, wish))));
  expect(outcomes(guests)).toEqual({ 201: 12 });
  const leaving = guests.map(({ data }) => partner.insist(cancelOf(data.booking)));
  const coming = Array.from({ length: COMING }, () => partner.insist(createOf(stage.place, wish)));
  expect(outcomes(await Promise.all(leaving))).toEqual({ 200: 12 });
  const { 201: sold = 0, ...others } = outcomes(await Promise.all(coming));
  expect(others).toEqual(sold === COMING ? {} : { '409 slot_taken': COMING - sold });
  await expectIntact(stage.tenantId);
  const shown = (await partner.slots(stage.place, wish.date)).find(({ start_time }) => start_time === '10:00');
  expect((shown?.available_capacity ?? 0) + sold).toBe(12);
  await sellOut(partner, stage.place, wish.date);
  await expectIntact(stage.tenantId);
});

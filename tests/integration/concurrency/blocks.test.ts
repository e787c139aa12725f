import { expect, test } from 'vitest';
import { createBlock } from '@/lib/booking/blocks/change';
import { AppError } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { expectIntact } from '@/tests/support/invariants';
import { sharedServer } from '@/tests/support/shared';
import { repeats } from '@/tests/support/soak';
import { createOf, createPartner, dayAhead, makeStage, outcomes } from '@/tests/support/storm';

/** Creates and blocks that run at the same time. */
const EACH = repeats(24, 200);
const HOURS = ['09', '10', '11', '12', '13', '14', '15', '16'];
const { origin } = sharedServer();

/** Repeats a change while the business is too busy for it, as a partner repeats a write after a 503. */
async function insist<T>(change: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'service_unavailable')) throw error;
    }
  }
}

test(`of ${EACH} blocks and ${EACH} creates at the same time, one of two always sees the other`, async () => {
  const stage = await makeStage({ specialists: 3, services: [{ durationMinutes: 60, slotIntervalMinutes: 60 }] });
  const { tenantId, keys, place } = stage;
  const partner = createPartner(origin, keys[0] ?? '');
  const specialists = (
    await pool().query<{ id: string }>('SELECT id FROM specialists WHERE tenant_id = $1 ORDER BY id', [tenantId])
  ).rows.map(({ id }) => id);
  const now = new Date();
  const by = { tenantId, actor: { kind: 'system' } as const };
  // Block n and create n compete for the same hour of the same specialist. Some blocks close it for everyone.
  const slotOf = (index: number) => ({
    date: dayAhead(7 + Math.floor(index / (HOURS.length * specialists.length))),
    hour: HOURS[Math.floor(index / specialists.length) % HOURS.length] ?? '',
    specialistId: specialists[index % specialists.length] ?? '',
  });
  const blockAt = (index: number) => {
    const { date, hour, specialistId } = slotOf(index);
    const doc = { from: `${date}T${hour}:15`, to: `${date}T${hour}:45`, repeat: null, reason: null };
    const wide = { specialistId: null, locationId: index % 20 === 7 ? place.locationId : null };
    const subject = index % 10 === 7 ? wide : { specialistId, locationId: null };
    return insist(() => createBlock(now, { ...by, confirmed: undefined }, subject, doc));
  };
  const bookAt = (index: number) => {
    const { date, hour, specialistId } = slotOf(index);
    return partner.insist(createOf(place, { date, start_time: `${hour}:00`, specialist_id: specialistId }));
  };
  // However slow one side is, each of them wins at least once.
  const blocks = [blockAt(EACH)];
  const creates = [bookAt(0)];
  await Promise.all([...blocks, ...creates]);
  for (let index = 1; index < EACH; index += 1) {
    creates.push(bookAt(index));
    blocks.push(blockAt(index));
  }
  const replies = outcomes(await Promise.all(creates));
  const saved = await Promise.all(blocks);
  const { 201: made = 0, ...refused } = replies;
  expect(made).toBeGreaterThan(0);
  expect(Object.keys(refused).every((outcome) => /^409 (slot_taken|outside_schedule)$/.test(outcome))).toBe(true);
  expect(saved.some((one) => 'id' in one)).toBe(true);
  // No block was saved over a booking, because none was confirmed.
  const inside = await pool().query(
    `SELECT b.reference FROM bookings b JOIN blocks k ON k.tenant_id = b.tenant_id
       AND k.subject_id IN (b.specialist_id, b.location_id, b.tenant_id)
       AND k.starts_at < b.end_date + b.end_time AND k.ends_at > b.date + b.start_time
     WHERE b.tenant_id = $1 AND b.status = 'confirmed'`,
    [tenantId],
  );
  expect(inside.rows).toEqual([]);
  // Each block that was not saved listed bookings that exist.
  const all = await pool().query<{ reference: string }>('SELECT reference FROM bookings WHERE tenant_id = $1', [
    tenantId,
  ]);
  const known = all.rows.map(({ reference }) => reference);
  for (const one of saved)
    if ('affected' in one) {
      expect(one.affected.count).toBeGreaterThan(0);
      for (const { reference } of one.affected.first) expect(known).toContain(reference);
    }
  await expectIntact(tenantId);
}, 120_000);

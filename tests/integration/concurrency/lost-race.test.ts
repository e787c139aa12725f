import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { expectIntact } from '@/tests/support/invariants';
import { holdRivalClaim, type Rival } from '@/tests/support/rival-claim';
import { sharedServer } from '@/tests/support/shared';
import {
  type BookingReply,
  cancelOf,
  createOf,
  createPartner,
  dayAhead,
  makeStage,
  outcomeOf,
  type Partner,
  rescheduleOf,
  type Stage,
  type Write,
} from '@/tests/support/storm';

const { origin, databaseUrl } = sharedServer();
const early = { date: dayAhead(7), start_time: '10:00' };
const late = { date: dayAhead(7), start_time: '15:00' };

type Loser = { name: string; prepare: (stage: Stage, partner: Partner) => Promise<Write> };

const LOSERS: Loser[] = [
  { name: 'create', prepare: async ({ place }) => createOf(place, late) },
  {
    name: 'reschedule',
    prepare: async ({ place, specialists }, partner) => {
      const made = await partner.prepare(createOf(place, { ...early, specialist_id: specialists[0]?.id }));
      return rescheduleOf(made.data.booking, late);
    },
  },
];

/**
 * Sends a write while another transaction holds an uncommitted claim of the specialist. As soon as the write waits,
 * runs `meanwhile` and commits the other transaction. Returns the response to the write, and the id of the other
 * transaction's claim.
 */
async function loseTo(
  rival: Rival,
  partner: Partner,
  write: Write,
  meanwhile = async () => {},
): Promise<{ reply: BookingReply; claimId: string }> {
  const held = await holdRivalClaim(databaseUrl, rival);
  const sending = partner.send(write);
  await held.untilWaiting().then(
    () => meanwhile().then(() => held.query('COMMIT')),
    () => undefined,
  );
  await held.release();
  return { reply: await sending, claimId: held.claimId };
}

/**
 * Removes the seat that the competing transaction claimed. That transaction created no booking, so its seat would count
 * as an inconsistency. Then asserts that the tenant's rows are consistent.
 */
async function expectIntactWithout(claimId: string, tenantId: string): Promise<void> {
  await pool().query('UPDATE slot_claims SET taken = taken - 1 WHERE id = $1 AND taken > 1', [claimId]);
  await pool().query(
    'DELETE FROM slot_claims WHERE id = $1 AND NOT EXISTS (SELECT FROM bookings WHERE claim_id = $1)',
    [claimId],
  );
  await expectIntact(tenantId);
}

test.each(LOSERS)(
  'a $name that loses the race for its slot gets slot_taken and changes nothing',
  async ({ name, prepare }) => {
    const stage = await makeStage();
    const partner = createPartner(origin, stage.keys[0] ?? '');
    const write = await prepare(stage, partner);
    const rival = { tenantId: stage.tenantId, specialistId: stage.specialists[0]?.id ?? '', wish: late };
    const { reply, claimId } = await loseTo(rival, partner, write);
    expect(outcomeOf(reply)).toBe('409 slot_taken');
    const { rows } = await pool().query('SELECT version, status FROM bookings WHERE tenant_id = $1', [stage.tenantId]);
    expect(rows).toEqual(name === 'create' ? [] : [{ version: 1, status: 'confirmed' }]);
    await expectIntactWithout(claimId, stage.tenantId);
    expect(outcomeOf(await partner.send(write))).toMatch(/^20[01]$/);
    await expectIntact(stage.tenantId);
  },
);

test.each(LOSERS)('a $name that loses the race for one specialist gets the next', async ({ prepare }) => {
  const stage = await makeStage({ specialists: 2 });
  const partner = createPartner(origin, stage.keys[0] ?? '');
  const write = await prepare(stage, partner);
  // The competing claim takes the specialist that the write tries first. For a create, this is the specialist with
  // the lowest id. For a reschedule, it is the current specialist.
  const [first, second] = stage.specialists.map(({ id }) => id).sort();
  const favourite = write.operation.id === 'createBooking' ? first : stage.specialists[0]?.id;
  const rival = { tenantId: stage.tenantId, specialistId: favourite ?? '', wish: late };
  const { reply, claimId } = await loseTo(rival, partner, write);
  expect(outcomeOf(reply)).toMatch(/^20[01]$/);
  expect(reply.data.booking).toMatchObject({
    start_time: late.start_time,
    specialist_id: favourite === first ? second : first,
  });
  await expectIntactWithout(claimId, stage.tenantId);
});

test.each(LOSERS)(
  'a $name that loses the last specialist takes a specialist who has become free',
  async ({ prepare }) => {
    const stage = await makeStage({ specialists: 2 });
    const partner = createPartner(origin, stage.keys[0] ?? '');
    const write = await prepare(stage, partner);
    const [first, second] = stage.specialists.map(({ id }) => id);
    const { data } = await partner.send(createOf(stage.place, { ...late, specialist_id: second }));
    const rival = { tenantId: stage.tenantId, specialistId: first ?? '', wish: late };
    const { reply, claimId } = await loseTo(rival, partner, write, async () => {
      expect(outcomeOf(await partner.send(cancelOf(data.booking)))).toBe('200');
    });
    expect(outcomeOf(reply)).toMatch(/^20[01]$/);
    expect(reply.data.booking).toMatchObject({ start_time: late.start_time, specialist_id: second });
    await expectIntactWithout(claimId, stage.tenantId);
  },
);

test.each(LOSERS)('a $name that finds a new group claim takes a further seat of it', async ({ prepare }) => {
  const stage = await makeStage({ services: [{ capacity: 3 }] });
  const partner = createPartner(origin, stage.keys[0] ?? '');
  const write = await prepare(stage, partner);
  const rival = { tenantId: stage.tenantId, specialistId: stage.specialists[0]?.id ?? '', wish: late, capacity: 3 };
  const { reply, claimId } = await loseTo(rival, partner, write);
  expect(outcomeOf(reply)).toMatch(/^20[01]$/);
  const { rows } = await pool().query('SELECT taken FROM slot_claims WHERE id = $1', [claimId]);
  expect(rows).toEqual([{ taken: 2 }]);
  await expectIntactWithout(claimId, stage.tenantId);
});

test('a statement that has changed no booking fails with the SQLSTATE after which a write runs again', async () => {
  await expect(pool().query('SELECT require_change(0)')).rejects.toMatchObject({ code: 'PBS01' });
  expect((await pool().query('SELECT require_change(1)::int AS changed')).rows).toEqual([{ changed: 1 }]);
});

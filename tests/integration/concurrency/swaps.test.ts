import { expect, test } from 'vitest';
import { expectIntact } from '@/tests/support/invariants';
import { sharedServer } from '@/tests/support/shared';
import {
  type BookingReply,
  createOf,
  createPartner,
  dayAhead,
  makeStage,
  outcomeOf,
  outcomes,
  type Partner,
  rescheduleOf,
  type Stage,
  type Wish,
} from '@/tests/support/storm';

const PAIRS = 8;
const { origin } = sharedServer();

/** Books the two slots of each pair: the first slot for one application, the second slot for the other. */
async function bookPairs(stage: Stage, partners: Partner[], wishes: (pair: number) => [Wish, Wish]) {
  return Promise.all(
    Array.from({ length: PAIRS }, async (_, pair) => {
      const made = await Promise.all(
        wishes(pair).map((wish, side) => partners[side]?.insist(createOf(stage.place, wish))),
      );
      return made.map((reply, side) => ({ partner: partners[side] as Partner, reply: reply as BookingReply }));
    }),
  );
}

type Pairs = Awaited<ReturnType<typeof bookPairs>>;

/** Concurrently reschedules both bookings of every pair, each to the other booking's slot. */
async function swapAll(pairs: Pairs): Promise<BookingReply[]> {
  const moves = pairs.flatMap(([left, right]) => {
    if (!left || !right) throw new Error('expected two bookings per pair');
    const [a, b] = [left.reply.data.booking, right.reply.data.booking];
    return [left.partner.insist(rescheduleOf(a, wishOf(b))), right.partner.insist(rescheduleOf(b, wishOf(a)))];
  });
  return Promise.all(moves);
}

function wishOf({ date, start_time, specialist_id }: BookingReply['data']['booking']): Wish {
  return { date, start_time, specialist_id };
}

test('two bookings that swap slots at once are both refused and stay unchanged', async () => {
  const stage = await makeStage({ specialists: 2, applications: 2 });
  const partners = stage.keys.map((key) => createPartner(origin, key));
  const date = dayAhead(7);
  const pairs = await bookPairs(stage, partners, (pair) => [
    { date, start_time: `${9 + Math.floor(pair / 2)}:${pair % 2 ? '30' : '00'}`.padStart(5, '0') },
    { date, start_time: `${13 + Math.floor(pair / 2)}:${pair % 2 ? '30' : '00'}` },
  ]);
  expect(outcomes(pairs.flat().map(({ reply }) => reply))).toEqual({ 201: 2 * PAIRS });
  expect(outcomes(await swapAll(pairs))).toEqual({ '409 slot_taken': 2 * PAIRS });
  for (const { partner, reply } of pairs.flat()) {
    expect((await partner.read(reply.data.booking.reference)).data).toEqual(reply.data);
  }
  await expectIntact(stage.tenantId);
});

test('all bookings of two groups with free seats swap their slots at once', async () => {
  const stage = await makeStage({ specialists: 2, services: [{ capacity: 2 * PAIRS + 1 }], applications: 2 });
  const partners = stage.keys.map((key) => createPartner(origin, key));
  const [first, second] = stage.specialists.map(({ id }) => id);
  const date = dayAhead(7);
  const pairs = await bookPairs(stage, partners, () => [
    { date, start_time: '10:00', specialist_id: first },
    { date, start_time: '14:00', specialist_id: second },
  ]);
  const replies = await swapAll(pairs);
  expect(replies.map(outcomeOf)).toEqual(Array.from({ length: 2 * PAIRS }, () => '200'));
  for (const [index, { reply }] of pairs.flat().entries()) {
    const was = reply.data.booking;
    const target = was.start_time === '10:00' ? second : first;
    expect(replies[index]?.data.booking).toMatchObject({ reference: was.reference, version: 2, specialist_id: target });
  }
  await expectIntact(stage.tenantId);
});

test('of many bookings that move to one free slot at once, exactly one gets it and all others stay unchanged', async () => {
  const stage = await makeStage({ specialists: 1, applications: 1 });
  const partner = createPartner(origin, stage.keys[0] ?? '');
  const date = dayAhead(7);
  const free = { date, start_time: '16:30' };
  const starts = (await partner.slots(stage.place, date)).map(({ start_time }) => start_time).slice(0, -1);
  const made = await Promise.all(
    starts.map((start_time) => partner.insist(createOf(stage.place, { date, start_time }))),
  );
  const moves = await Promise.all(made.map(({ data }) => partner.insist(rescheduleOf(data.booking, free))));
  expect(outcomes(moves)).toEqual({ 200: 1, '409 slot_taken': made.length - 1 });
  for (const [index, { data }] of made.entries()) {
    const now = await partner.read(data.booking.reference);
    expect(now.data).toEqual(moves[index]?.status === 200 ? moves[index].data : data);
  }
  await expectIntact(stage.tenantId);
});

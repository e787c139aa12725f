import { describe, expect, test } from 'vitest';
import { expectIntact } from '@/tests/support/invariants';
import { newSeed, seeded } from '@/tests/support/random';
import { sharedServer } from '@/tests/support/shared';
import { repeats } from '@/tests/support/soak';
import { createPartner, dayAhead, makeStage, type Place, sellOut } from '@/tests/support/storm';
import { type Booked, playRound } from './round';

/** Number of rounds for each case. */
const ROUNDS = repeats(2, 50);
/** Minimum number of bookings in each case. If `ROUNDS` rounds create fewer, more follow, up to `MAX_ROUNDS`. */
const BOOKINGS = 6;
const MAX_ROUNDS = 4 * ROUNDS;
/** Number of concurrent changes in a round. */
const CHANGES = 12;
const { origin } = sharedServer();

const hour = { durationMinutes: 60, slotIntervalMinutes: 30 };
const padded = { durationMinutes: 45, slotIntervalMinutes: 15, bufferBeforeMinutes: 5, bufferAfterMinutes: 10 };
/** `npm test` runs the first two. */
const CASES = [
  {
    name: 'a group and single customers who share specialists',
    specialists: 2,
    services: [{ ...hour, capacity: 3 }, padded],
  },
  { name: 'three specialists, with buffers on a fine grid', specialists: 3, services: [padded] },
  { name: 'one specialist', specialists: 1, services: [hour] },
  { name: 'groups', specialists: 2, services: [{ ...hour, capacity: 4 }] },
].slice(0, repeats(2, 4));

describe.each(CASES)('random interleavings of create, cancel, reschedule and swap: $name', (scene) => {
  test(
    'leave no overlap, no lost or extra seat, and versions and events without gaps',
    async () => {
      const seed = newSeed();
      const random = seeded(seed);
      const stage = await makeStage({ ...scene, applications: 3 });
      const partners = stage.keys.map((key) => createPartner(origin, key));
      const places: Place[] = stage.services.map(({ id }) => ({ serviceId: id, locationId: stage.location.id }));
      const specialistIds = stage.specialists.map(({ id }) => id);
      const bookings = new Map<string, Booked>();
      const date = dayAhead(7);
      const isPlaying = (round: number) => round <= ROUNDS || (bookings.size < BOOKINGS && round <= MAX_ROUNDS);
      for (let round = 1; isPlaying(round); round += 1) {
        const context = `seed ${seed}, round ${round}`;
        await playRound({ random, partners, places, specialistIds, date, bookings, changes: CHANGES, context });
        await expectIntact(stage.tenantId, context);
      }
      expect(bookings.size, `seed ${seed}`).toBeGreaterThanOrEqual(BOOKINGS);
      for (const { partner, booking } of bookings.values()) {
        const context = `seed ${seed}`;
        expect((await partner.read(booking.reference)).data.booking, context).toEqual(booking);
      }
      for (const place of places)
        for (const partner of partners.slice(0, 1)) await sellOut(partner, place, date, `seed ${seed}`);
      await expectIntact(stage.tenantId, `seed ${seed}`);
    },
    repeats(180_000, 900_000),
  );
});

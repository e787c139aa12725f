import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { availabilityData } from '@/lib/contract/availability';
import { type BookingRecord, bookingData } from '@/lib/contract/bookings';
import { catalogData } from '@/lib/contract/catalog';
import type { availabilityChangedPayload, catalogChangedPayload } from '@/lib/contract/events';
import { eventsData } from '@/lib/contract/events-list';
import { Skip } from '../report';
import { dataOf, expectRefusal, SLOT, type Slot, type World } from '../world';

type AvailabilityChanged = z.infer<typeof availabilityChangedPayload>;
type CatalogChanged = z.infer<typeof catalogChangedPayload>;

/** Milliseconds to wait for an event, and between two looks. Normally, it comes within 2 s after the 5 s of the one before. */
const [WAIT, LOOK] = [20_000, 500];

/** Milliseconds between two events of a type (contract B17). Half a second is for the clocks of two processes. */
const INTERVAL = 5_000 - 500;

/** The newest events among which an earlier thin event is looked for. */
const NEWEST = 500;

/** Pages of the slots of a day. */
const PAGES = 4;

const UNSELECTED =
  'it needs an endpoint of the application for which the owner has selected availability.changed, and its first event';

/** Checks contract B17: thin events, and reads that are not older. */
export async function thinEvents(world: World): Promise<void> {
  const { wire, check, need, create, body, bookable, receiver } = world;
  const read = async (after: number) => dataOf(await wire.send(`/events?after=${after}`), 200, eventsData);
  const known = await newestEvents(world);
  if (!known.events.some(isAvailability)) throw new Skip(UNSELECTED);
  const { independent } = await bookable();
  const slot = independent(SLOT.announced);
  const told: AvailabilityChanged[] = [];
  const announced = async (after: number): Promise<AvailabilityChanged> => {
    const until = Date.now() + WAIT;
    for (;;) {
      const { events } = await read(after);
      const event = events.filter(isAvailability).find(({ data }) => data.changes.some((one) => covers(one, slot)));
      if (event) {
        told.push(event);
        return event;
      }
      if (Date.now() > until && receiver === null) throw new Skip(`no event came: ${UNSELECTED}`);
      assert.ok(Date.now() < until, 'no availability.changed names the slot');
      await delay(LOOK);
    }
  };
  const booking = await need(
    'B17',
    'an available slot can be booked',
    async () => dataOf(await create(body(slot)), 201, bookingData).booking,
  );
  const first = await need('B17', 'a booking emits availability.changed for its service, location, and date', () =>
    announced(known.latest),
  );
  await check('B17', 'with its token as min_token, availability contains the booking', async () => {
    assert.equal(await offers(world, booking, first.data.token), false);
  });
  await check('B17', 'its token is no entity tag, and a changed one is refused', async () => {
    const { token } = first.data;
    const path = '/catalog?limit=1';
    const tagged = await wire.send(path, { headers: { 'if-none-match': `W/"${token}"` } });
    assert.notEqual(dataOf(tagged, 200, catalogData).token, token);
    const other = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const refused = await wire.send(`${path}&min_token=${other}`);
    expectRefusal(refused, 400, 'invalid_request', null);
    assert.deepEqual(refused.fields, ['min_token']);
  });
  await check('B17', 'a cancellation emits the next one, with which availability offers the slot again', async () => {
    await world.cancel(booking.reference);
    const next = await announced(first.sequence ?? 0);
    assert.equal(await offers(world, booking, next.data.token), true);
  });
  await check('B17', 'events of a type are at least 5 s apart', async () => {
    const { events } = await read(known.latest);
    for (const type of ['availability.changed', 'catalog.changed']) {
      const times = events.filter((event) => event.type === type).map(({ timestamp }) => Date.parse(timestamp));
      times.forEach((time, index) => {
        assert.ok(index === 0 || time - (times[index - 1] ?? 0) >= INTERVAL, `${type} came after less than 5 s`);
      });
    }
  });
  const [catalogChanged] = known.events.filter(isCatalog);
  if (catalogChanged)
    await check('B17', 'the token of catalog.changed is a min_token of the catalog', async () => {
      dataOf(await wire.send(`/catalog?limit=1&min_token=${catalogChanged.data.token}`), 200, catalogData);
    });
  if (receiver)
    await check('B16', 'the webhook has the same payload, byte for byte, and its sequence', async () => {
      const [event] = told;
      const find = () => receiver.attempts.find(({ headers }) => headers['webhook-id'] === event?.id);
      for (const until = Date.now() + WAIT; !find() && Date.now() < until; ) await delay(LOOK);
      const attempt = find();
      assert.ok(attempt && event, 'the webhook did not arrive');
      const { text } = await wire.send(`/events?after=${(event.sequence ?? 0) - 1}&limit=1`);
      assert.ok(text.includes(`"events":[${attempt.text}]`), 'the payloads differ');
      assert.equal(attempt.headers['webhook-sequence'], String(event.sequence));
    });
}

const isAvailability = (event: { type: string }): event is AvailabilityChanged => event.type === 'availability.changed';
const isCatalog = (event: { type: string }): event is CatalogChanged => event.type === 'catalog.changed';

type Change = AvailabilityChanged['data']['changes'][number];

/** A null is all of them. */
function covers({ service_id, location_id, date, date_to, dates }: Change, slot: Slot): boolean {
  const isPlace = [service_id ?? slot.service_id, location_id ?? slot.location_id].join() === placeOf(slot);
  if (dates) return isPlace && dates.includes(slot.date);
  return isPlace && (date ?? slot.date) <= slot.date && (date_to ?? slot.date) >= slot.date;
}

const placeOf = ({ service_id, location_id }: Slot) => [service_id, location_id].join();

/** Returns the newest events that are kept, oldest first. */
async function newestEvents({ wire }: World) {
  const oldest = dataOf(await wire.send('/events?limit=1'), 200, eventsData);
  const latest = oldest.latest_sequence;
  const start = (oldest.events[0]?.sequence ?? latest + 1) - 1;
  const events: z.infer<typeof eventsData>['events'] = [];
  for (let after = Math.max(start, latest - NEWEST); after < latest; ) {
    const page = dataOf(await wire.send(`/events?after=${after}`), 200, eventsData).events;
    if (page.length === 0) break;
    events.push(...page);
    after = page.at(-1)?.sequence ?? latest;
  }
  return { latest, events };
}

/** Returns whether availability, not older than a token, offers the start of a booking with its specialist. */
async function offers({ wire }: World, booking: BookingRecord, min_token: string): Promise<boolean> {
  const { service_id, location_id, date, specialist_id, starts_at } = booking;
  const query = { service_id, location_id, date, limit: '96', min_token };
  let cursor: string | null = '';
  for (let page = 0; cursor !== null && page < PAGES; page += 1) {
    const search = new URLSearchParams({ ...query, ...(cursor && { cursor }) });
    const data: z.infer<typeof availabilityData> = dataOf(
      await wire.send(`/availability?${search}`),
      200,
      availabilityData,
    );
    const slot = data.slots.find((one) => one.starts_at === starts_at);
    if (slot) return slot.specialist_ids.includes(specialist_id);
    cursor = data.next_cursor;
  }
  return false;
}

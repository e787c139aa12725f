import { EXAMPLE_IDS } from '../common';
import type { Json } from '../openapi/schemas';

/** The times of a slot, as availability lists them. */
export type LiveTimes = { date: string; start_time: string; end_time: string; starts_at: string; ends_at: string };

type LiveBooking = { reference: string; version: number; target: LiveTimes };

/**
 * Records of the sandbox with which an example runs as it stands. All values have fixed formats without markup. A booking
 * is null if the sandbox has none that can be changed.
 */
export type LiveExample = {
  service_id: string;
  location_id: string;
  specialist_id: string;
  time_zone: string;
  price: { amount: number; currency: string } | null;
  change_deadline: string;
  /** Two free slots of one day. */
  slots: readonly [LiveTimes, LiveTimes];
  /** One for each operation on a booking, so that the examples can run in any order. */
  bookings: Record<'read' | 'cancel' | 'reschedule' | 'owner', LiveBooking | null>;
};

/** The times in the recorded examples: two slots, and the target of the reschedule. */
const RECORDED_TIMES: readonly [LiveTimes, LiveTimes, LiveTimes] = [
  times('2026-09-14', '09:30', '10:15'),
  times('2026-09-14', '09:45', '10:30'),
  times('2026-09-15', '11:00', '11:45'),
];

const daysAfter = (instant: string, days: number) => new Date(Date.parse(instant) + days * 86_400_000).toISOString();

function times(date: string, start_time: string, end_time: string): LiveTimes {
  const at = (time: string) => `${date}T${time}:00+02:00`;
  return { date, start_time, end_time, starts_at: at(start_time), ends_at: at(end_time) };
}

function pairs(recorded: LiveTimes, live: LiveTimes): [string, string][] {
  return (Object.keys(recorded) as (keyof LiveTimes)[]).map((name) => [recorded[name], live[name]]);
}

function valuesOf(live: LiveExample, booking: LiveBooking | null): Map<string, string> {
  const [first, second] = live.slots;
  return new Map([
    [EXAMPLE_IDS.service, live.service_id],
    [EXAMPLE_IDS.location, live.location_id],
    [EXAMPLE_IDS.specialist, live.specialist_id],
    ...(booking ? [[EXAMPLE_IDS.booking, booking.reference] as [string, string]] : []),
    ['Europe/Berlin', live.time_zone],
    ['2026-09-13T07:30:00.000Z', live.change_deadline],
    ...pairs(RECORDED_TIMES[2], booking?.target ?? second),
    ...pairs(RECORDED_TIMES[1], second),
    ...pairs(RECORDED_TIMES[0], first),
  ]);
}

function replaced(value: unknown, values: ReadonlyMap<string, string>, live: LiveExample): unknown {
  if (typeof value === 'string') return values.get(value) ?? value;
  if (Array.isArray(value)) return value.map((part) => replaced(part, values, live));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    name === 'price' && isPrice(part) ? live.price : replaced(part, values, live),
  ]);
  return Object.fromEntries(entries);
}

const isPrice = (value: unknown) => typeof value === 'object' && value !== null && 'amount' in value;

type Parameter = Json & { $ref?: string; name?: string; in?: string };
type Operation = Json & {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: { 'application/json': { example: Json } } };
};
type Document = { paths: Record<string, Json>; components: Json };

const ROLES: Record<string, keyof LiveExample['bookings']> = {
  readBooking: 'read',
  cancelBooking: 'cancel',
  rescheduleBooking: 'reschedule',
  runOwnerAction: 'owner',
};

/** Returns whether the example of an operation cannot run, because the sandbox has no booking for it. */
export function lacksBooking(operationId: string, live: LiveExample | undefined): boolean {
  const role = ROLES[operationId];
  return live !== undefined && role !== undefined && live.bookings[role] === null;
}

/** Optional parameters whose recorded examples would be refused. Slots are at most two weeks ahead. */
const PARAMETERS: Record<string, (live: LiveExample) => unknown> = {
  updated_since: ({ slots: [slot] }) => daysAfter(slot.starts_at, -21),
  after: () => 0,
};

function keyOf(operationId: string, { service_id, slots: [slot] }: LiveExample, booking: LiveBooking | null): string {
  return [operationId, service_id, slot.starts_at, ...(booking ? [booking.reference, booking.version] : [])].join('-');
}

/**
 * Returns an OpenAPI document whose examples have the ids, dates, and prices of the sandbox, so that they run as they
 * stand. Only examples change.
 */
export function liveDocument<D extends Document>(document: D, live: LiveExample): D {
  const shared = document.components.parameters as Record<string, Parameter>;
  const inline = (parameter: Parameter) =>
    (parameter.$ref && shared[parameter.$ref.split('/').at(-1) ?? '']) || parameter;
  const examplesIn = (value: unknown, values: ReadonlyMap<string, string>): unknown => {
    if (Array.isArray(value)) return value.map((part) => examplesIn(part, values));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        name === 'example' || name === 'examples' ? replaced(part, values, live) : examplesIn(part, values),
      ]),
    );
  };
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const methods = Object.entries(item).filter(([name]) => name !== 'parameters') as [string, Operation][];
    const role = methods.map(([, { operationId }]) => ROLES[operationId]).find(Boolean);
    const booking = role ? live.bookings[role] : null;
    const values = valuesOf(live, booking);
    const operations = methods.map(([name, operation]) => {
      const parameters = operation.parameters.map((one) => {
        if (one.$ref?.endsWith('/IdempotencyKey'))
          return { ...inline(one), example: keyOf(operation.operationId, live, booking) };
        const example = PARAMETERS[one.name ?? '']?.(live);
        return example === undefined ? one : { ...one, example };
      });
      const body = operation.requestBody?.content['application/json'].example;
      const versioned = booking && body && 'expected_version' in body;
      const changed = examplesIn({ ...operation, parameters }, values) as Operation;
      const sent = changed.requestBody?.content['application/json'].example;
      if (versioned && sent) sent.expected_version = booking.version;
      return [name, changed];
    });
    const parameters = examplesIn(((item.parameters as Parameter[]) ?? []).map(inline), values);
    return [path, { parameters, ...Object.fromEntries(operations) }];
  });
  const components = examplesIn(document.components, valuesOf(live, null)) as Json;
  const described = Object.fromEntries(paths);
  return { ...document, paths: described, components: { ...components, parameters: usedIn(described, components) } };
}

/** Returns the shared parameters to which operations still refer. The others have an example of their own in each operation. */
function usedIn(paths: Json, { parameters }: Json): Json {
  const text = JSON.stringify(paths);
  const isUsed = (name: string) => text.includes(`"#/components/parameters/${name}"`);
  return Object.fromEntries(Object.entries(parameters as Json).filter(([name]) => isUsed(name)));
}

/** Returns recorded data with the values of the sandbox. */
export function liveData<T>(data: T, live: LiveExample | undefined): T {
  return live ? (replaced(data, valuesOf(live, null), live) as T) : data;
}

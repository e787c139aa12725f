import { DAY } from './calendar';

/** A period [from, to) in epoch minutes in which local time is UTC plus `offset` minutes. */
interface Period {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** The offset table of an IANA time zone, filled on demand. Other files access only `name`. */
export interface Zone {
  readonly name: string;
  readonly format: (epochMilliseconds: number) => string;
  readonly chunks: Map<number, readonly Period[]>;
  /** The period that `offsetAt` found last. The next call usually needs the same period. */
  last: Period;
}

/**
 * Number of minutes in a chunk of an offset table. Chunks have the same length, so one division gives a chunk's index.
 */
const CHUNK = 364 * DAY;
/** Maximum number of chunks per offset table. Requests choose the dates, so unlimited chunks could exhaust memory. */
const MAX_CHUNKS = 64;
/** Maximum number of time zones in memory. */
const MAX_ZONES = 512;

const zones = new Map<string, Zone>();
const LONG_OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::\d{2})?)?$/;

function setBounded<K, V>(map: Map<K, V>, key: K, value: V, limit: number): void {
  if (map.size >= limit) {
    for (const oldest of map.keys()) {
      map.delete(oldest);
      break;
    }
  }
  map.set(key, value);
}

/**
 * Returns the offset table of an IANA time zone. All callers share the same table.
 * @throws RangeError for a time zone that the runtime does not support.
 */
export function zoneOf(name: string): Zone {
  const cached = zones.get(name);
  if (cached) return cached;
  let formatter: Intl.DateTimeFormat;
  try {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    // The message of the caught error is not used, because it contains the invalid name.
    throw new RangeError('time zone must be a known IANA zone');
  }
  const format = (ms: number): string => formatter.format(ms);
  const zone: Zone = { name, format, chunks: new Map(), last: { from: 0, to: 0, offset: 0 } };
  setBounded(zones, name, zone, MAX_ZONES);
  return zone;
}

/**
 * Reads the offset at an instant (epoch minutes) from the runtime's time zone data, which is slow. Returns whole
 * minutes, without the seconds of historical offsets.
 */
function readOffset(zone: Zone, instant: number): number {
  const match = LONG_OFFSET.exec(zone.format(instant * 60_000));
  if (!match) throw new Error('the runtime returned no offset for a time zone');
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}

/**
 * Returns the instant in (low, high] at which the offset changes. `offsetAtLow` must be the offset at `low`. The offset
 * at `high` must differ from it.
 */
function findChange(zone: Zone, low: number, high: number, offsetAtLow: number): number {
  let before = low;
  let after = high;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (readOffset(zone, middle) === offsetAtLow) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * Returns the periods of a chunk of the offset table (see `CHUNK`). Reads one offset per day. If it differs from the
 * previous one, searches for the change between them. This finds every change since 2000, because the changes of a time
 * zone have always been more than a day apart.
 */
function buildChunk(zone: Zone, index: number): readonly Period[] {
  const end = (index + 1) * CHUNK;
  const chunk: Period[] = [];
  let from = index * CHUNK;
  let offset = readOffset(zone, from);
  let cursor = from;
  for (let next = from + DAY; next <= end; next += DAY) {
    const offsetAtNext = readOffset(zone, next);
    while (offset !== offsetAtNext) {
      cursor = findChange(zone, cursor, next, offset);
      chunk.push({ from, to: cursor, offset });
      from = cursor;
      offset = readOffset(zone, cursor);
    }
    cursor = next;
  }
  chunk.push({ from, to: end, offset });
  return chunk;
}

/** Returns the offset of local time from UTC, in minutes. `instant` is in minutes since the epoch. */
export function offsetAt(zone: Zone, instant: number): number {
  if (instant >= zone.last.from && instant < zone.last.to) return zone.last.offset;
  const index = Math.floor(instant / CHUNK);
  let chunk = zone.chunks.get(index);
  if (!chunk) {
    chunk = buildChunk(zone, index);
    setBounded(zone.chunks, index, chunk, MAX_CHUNKS);
  }
  for (const period of chunk) {
    if (instant < period.to) {
      zone.last = period;
      break;
    }
  }
  return zone.last.offset;
}

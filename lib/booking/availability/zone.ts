import { DAY } from './calendar';

/** From `from` up to `to` (epoch minutes), local time is UTC plus `offset` minutes. */
interface Steady {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** The offset table of one IANA zone, filled as instants are asked for. Opaque outside this file. */
export interface Zone {
  readonly name: string;
  readonly format: (epochMilliseconds: number) => string;
  readonly chunks: Map<number, readonly Steady[]>;
  /** Where the last answer came from: the next question is nearly always about the same months. */
  last: Steady;
}

/** A little under a year: the index of a chunk is one division, without calendar arithmetic. */
const CHUNK = 364 * DAY;
/** Dates come from callers, so the tables are bounded: whoever asks for every year costs time, never memory. */
const MAX_CHUNKS = 64;
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
 * The shared offset table of an IANA zone. Hold on to it; nothing is parsed again.
 * @throws RangeError for a zone this runtime does not know
 */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  let formatter: Intl.DateTimeFormat;
  try {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    // The engine's own message repeats the value.
    throw new RangeError('time zone must be a known IANA zone');
  }
  const format = (ms: number): string => formatter.format(ms);
  const zone: Zone = { name, format, chunks: new Map(), last: { from: 0, to: 0, offset: 0 } };
  setBounded(zones, name, zone, MAX_ZONES);
  return zone;
}

/** Asks the runtime's time zone data; slow, used only to fill a table. Seconds of old local mean times are dropped. */
function readOffset(zone: Zone, instant: number): number {
  const match = LONG_OFFSET.exec(zone.format(instant * 60_000));
  if (!match) throw new Error('the runtime gave no offset for a time zone');
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}

/** The first instant in (low, high] with another offset than at `low`, given that the two ends differ. */
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

/** Samples every day: the closest pairs of changes in force since 2000 (Ramadan in Morocco) are weeks apart. */
function buildChunk(zone: Zone, index: number): readonly Steady[] {
  const end = (index + 1) * CHUNK;
  const chunk: Steady[] = [];
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

/** Minutes that local time is ahead of UTC at an instant (epoch minutes). */
export function offsetAt(zone: Zone, instant: number): number {
  if (instant >= zone.last.from && instant < zone.last.to) return zone.last.offset;
  const index = Math.floor(instant / CHUNK);
  let chunk = zone.chunks.get(index);
  if (!chunk) {
    chunk = buildChunk(zone, index);
    setBounded(zone.chunks, index, chunk, MAX_CHUNKS);
  }
  for (const steady of chunk) {
    if (instant < steady.to) {
      zone.last = steady;
      break;
    }
  }
  return zone.last.offset;
}

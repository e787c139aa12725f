/** From a response, an event, or a row of `bookings`. Times are in milliseconds since 1970. */
export type State = {
  reference: string;
  version: number;
  status: string;
  specialistId: string;
  startsAt: number;
  endsAt: number;
};

/** From the request to the response, or to the end of the client's wait. All times are from one clock. */
type Span = { begun: number; ended: number };

/**
 * Requests with the same idempotency key are retries. `unknown`: no response or a 5xx, so the write may have been made.
 */
export type WriteCall = Span & { key: string; result: State | 'refused' | 'unknown' };

/** `missing`: a 404. `unknown`: no response or a 5xx. */
export type ReadCall = Span & { reference: string; result: State | 'missing' | 'unknown' };

export type History = { writes: WriteCall[]; reads: ReadCall[] };

/** After the last request. `capacity` is the seats per slot. */
export type Final = { events: State[]; bookings: State[]; capacity: number };

/**
 * The rules that a history and the final database can violate.
 * - `oversold`: a slot has more bookings than seats, or bookings of one specialist overlap
 * - `lost`: a client received a version that no event states, a booking differs from its last event, or a booking or
 *   its events are missing
 * - `doubled`: responses to one write state different changes, responses to two writes state the same change, or no
 *   response states the change of an event
 * - `gap`: the versions in the events of a booking are not 1, 2, …
 * - `stale`: a read returned a 404 or an older version than a client had received before the read began
 * - `open`: no response states the result of a write, so the other rules cannot check it
 */
export type Rule = 'oversold' | 'lost' | 'doubled' | 'gap' | 'stale' | 'open';

/** `subject` is a booking or an idempotency key. */
export type Anomaly = { rule: Rule; subject: string };

const isState = (result: State | string): result is State => typeof result !== 'string';
const versionOf = ({ reference, version }: { reference: string; version: number }) => `${reference} ${version}`;
const textOf = (state: State) =>
  `${versionOf(state)} ${state.status} ${state.specialistId} ${state.startsAt} ${state.endsAt}`;

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** A version that a client received. */
type Known = Span & { state: State };

function knownIn(calls: readonly (WriteCall | ReadCall)[]): Known[] {
  return calls.flatMap(({ begun, ended, result }) => (isState(result) ? [{ begun, ended, state: result }] : []));
}

function findLost({ writes, reads }: History, { events, bookings }: Final): Anomaly[] {
  const stored = new Set(events.map(textOf));
  const rows = new Map(bookings.map((row) => [row.reference, textOf(row)]));
  const received = knownIn([...writes, ...reads]).filter(({ state }) => !stored.has(textOf(state)));
  const last = [...groupBy(events, ({ reference }) => reference).values()].map((group) =>
    group.reduce((one, other) => (other.version > one.version ? other : one)),
  );
  const differing = last.filter((event) => rows.get(event.reference) !== textOf(event));
  const references = new Set(events.map(({ reference }) => reference));
  const unexplained = bookings.filter(({ reference }) => !references.has(reference));
  const subjects = [...received.map(({ state }) => versionOf(state)), ...[...differing, ...unexplained].map(versionOf)];
  return subjects.map((subject) => ({ rule: 'lost', subject }));
}

function findDoubled({ writes }: History, { events }: Final): Anomaly[] {
  const successes = writes.filter(({ result }) => isState(result));
  const resultOf = ({ result }: WriteCall) => (isState(result) ? textOf(result) : '');
  const madeOf = ({ result }: WriteCall) => (isState(result) ? versionOf(result) : '');
  const distinct = (group: WriteCall[], fieldOf: (call: WriteCall) => string) => new Set(group.map(fieldOf)).size;
  const keys = [...groupBy(successes, ({ key }) => key)].filter(([, group]) => distinct(group, resultOf) > 1);
  const byChange = groupBy(successes, madeOf);
  const shared = [...byChange].filter(([, group]) => distinct(group, ({ key }) => key) > 1);
  const unexplained = events.filter((event) => !byChange.has(versionOf(event))).map(versionOf);
  const subjects = [...keys.map(([key]) => key), ...shared.map(([change]) => change), ...unexplained];
  return subjects.map((subject) => ({ rule: 'doubled', subject }));
}

function findGaps({ events }: Final): Anomaly[] {
  return [...groupBy(events, ({ reference }) => reference)].flatMap(([subject, group]) => {
    const versions = group.map(({ version }) => version).sort((a, b) => a - b);
    return versions.every((version, index) => version === index + 1) ? [] : [{ rule: 'gap', subject }];
  });
}

function findStale({ writes, reads }: History): Anomaly[] {
  const known = groupBy(knownIn([...writes, ...reads]), ({ state }) => state.reference);
  return reads.flatMap(({ begun, reference, result }) => {
    if (result === 'unknown') return [];
    const before = (known.get(reference) ?? []).filter(({ ended }) => ended < begun);
    const newest = Math.max(0, ...before.map(({ state }) => state.version));
    return (isState(result) ? result.version : 0) < newest ? [{ rule: 'stale', subject: reference }] : [];
  });
}

function findOpen({ writes }: History): Anomaly[] {
  return [...groupBy(writes, ({ key }) => key)].flatMap(([subject, group]) => {
    const last = group.reduce((one, other) => (other.ended > one.ended ? other : one));
    const open = last.result === 'unknown' && !group.some(({ result }) => isState(result));
    return open ? [{ rule: 'open', subject }] : [];
  });
}

/** A booking certainly had its seat. */
type Holding = { state: State; from: number; until: number };

/**
 * Each confirmed version has one interval. It begins when the first response with it has been received, and ends when
 * the write of the next version is first sent. If that write is unknown, the interval is empty.
 */
function holdingsOf({ writes, reads }: History, { events }: Final): Holding[] {
  const stored = new Set(events.map(versionOf));
  const sent = groupBy(writes, ({ key }) => key);
  const endedBy = new Map<string, number>();
  for (const calls of sent.values()) {
    const made = calls.map(({ result }) => result).find(isState);
    if (made) endedBy.set(versionOf(made), Math.min(...calls.map(({ begun }) => begun)));
  }
  const versions = groupBy(knownIn([...writes, ...reads]), ({ state }) => versionOf(state));
  return [...versions.values()].flatMap((group) => {
    const [{ state } = { state: null }] = group;
    if (state?.status !== 'confirmed') return [];
    const next = versionOf({ reference: state.reference, version: state.version + 1 });
    const from = Math.min(...group.map(({ ended }) => ended));
    const until = endedBy.get(next) ?? (stored.has(next) ? from : Number.POSITIVE_INFINITY);
    return [{ state, from, until }];
  });
}

/** An earlier booking overlaps with a different start or end, or earlier ones took all seats. */
function oversoldIn(holdings: readonly Holding[], capacity: number): Anomaly[] {
  const found: Anomaly[] = [];
  for (const group of groupBy(holdings, ({ state }) => state.specialistId).values()) {
    let held: Holding[] = [];
    for (const one of group.filter(({ from, until }) => from < until).sort((a, b) => a.from - b.from)) {
      held = held.filter(({ until }) => until > one.from);
      const { startsAt, endsAt } = one.state;
      const near = held.filter(({ state }) => state.startsAt < endsAt && startsAt < state.endsAt);
      const same = near.filter(({ state }) => state.startsAt === startsAt && state.endsAt === endsAt);
      if (same.length < near.length || same.length >= capacity)
        found.push({ rule: 'oversold', subject: versionOf(one.state) });
      held.push(one);
    }
  }
  return found;
}

function findOversold(history: History, final: Final): Anomaly[] {
  const booked = final.bookings.filter(({ status }) => status === 'confirmed');
  const rows = booked.map((state) => ({ state, from: 0, until: 1 }));
  return [...oversoldIn(rows, final.capacity), ...oversoldIn(holdingsOf(history, final), final.capacity)];
}

/** Returns every violation of a `Rule`, from the results of a test's requests and the final database. */
export function anomaliesOf(history: History, final: Final): Anomaly[] {
  return [
    ...findOversold(history, final),
    ...findLost(history, final),
    ...findDoubled(history, final),
    ...findGaps(final),
    ...findStale(history),
    ...findOpen(history),
  ];
}

import type { Criterion, Readiness } from '@/lib/contract/readiness';

/** A request of the application in TEST, without those of the conformance suite. */
export type Seen = {
  id: string;
  at: Date;
  method: string;
  /** Below the base path. Null if the route is unknown. */
  route: string | null;
  status: number;
  code: string | null;
  reason: string | null;
  /** The hash of the idempotency key. Null if the request was refused before it was read. */
  key: string | null;
  replayed: boolean;
  /** The `external_reference` of a create. */
  reference: string | null;
};

/** The latest signature check. A status is null until its attempt has ended, and 0 without a response. */
export type SignatureCheck = { at: Date; requestId: string; genuine: number | null; forged: number | null };

type Verdict = { state: 'met' | 'failed'; by: Pick<Seen, 'id' | 'at'> };

type Evidence = Readiness['criteria'][number];

const MINUTE = 60_000;
/** Milliseconds in which the answer to a refusal, and to a change of the clock, is looked for. */
const [AFTER_REFUSAL, AFTER_CLOCK] = [10 * MINUTE, 60 * MINUTE];
/** Requests that are looked at after each. */
const FURTHER = 50;
/** So often, an identical request repeats a 409 before it counts as a loop. */
const LOOP = 3;
/** Milliseconds. The shortest Retry-After. Requests that arrive earlier can have been on their way. */
const SHORTEST_WAIT = 1_000;
/** So many requests have to fail after a change of the clock. */
const LOST = 5;

const CONFLICTS = ['booking_unavailable', 'booking_version_conflict', 'idempotency_key_reused'];
const isOwn = ({ route }: Seen) => route !== null && !route.startsWith('/test') && !route.startsWith('/webhooks');
const isDone = ({ status }: Seen) => status < 400;

/** What the requests of an application show. */
export type Judged = Record<Exclude<Criterion, 'signature'>, Verdict | null>;

/**
 * Judges the requests of an application, which must be in the order of their time, by the latest evidence (contract B21).
 * `advances` are the times at which it advanced its clock.
 */
export function judge(requests: readonly Seen[], advances: ReadonlySet<number>): Judged {
  const doubled = doubledIn(requests);
  return {
    lost_write: latest(requests, (one) => lostWrite(one, doubled)),
    conflict: latest(requests, conflict),
    rate_limit: latest(requests, rateLimit),
    clock: latest(requests, (one, index, all) => clock(one, index, all, advances)),
  };
}

/** Returns each criterion once, in the order of the contract. */
export function evidenceOf(judged: Judged, check: SignatureCheck | null): Evidence[] {
  const { clock: changed, ...first } = judged;
  const verdicts: Record<Criterion, Verdict | null> = {
    ...first,
    ...{ signature: check && signature(check), clock: changed },
  };
  return Object.entries(verdicts).map(([criterion, verdict]) => ({
    criterion: criterion as Criterion,
    state: verdict?.state ?? 'not_yet',
    at: verdict?.by.at.toISOString() ?? null,
    request_id: verdict?.by.id ?? null,
  }));
}

type Rule = (one: Seen, index: number, all: readonly Seen[]) => Verdict | null;

function latest(requests: readonly Seen[], rule: Rule): Verdict | null {
  for (let index = requests.length - 1; index >= 0; index -= 1) {
    const one = requests[index];
    const verdict = one ? rule(one, index, requests) : null;
    if (verdict) return verdict;
  }
  return null;
}

function after(index: number, all: readonly Seen[], milliseconds: number): Seen[] {
  const until = (all[index]?.at.getTime() ?? 0) + milliseconds;
  return all.slice(index + 1, index + 1 + FURTHER).filter(({ at }) => at.getTime() <= until);
}

/** A write that was answered with its stored response, or a lost create that was made again with another key. */
function lostWrite(one: Seen, doubled: ReadonlySet<Seen>): Verdict | null {
  if (one.method !== 'POST' || !isOwn(one) || !isDone(one)) return null;
  if (one.replayed) return { state: 'met', by: one };
  return doubled.has(one) ? { state: 'failed', by: one } : null;
}

/** Returns the creates whose response is lost and that an earlier request has already made with another key. */
function doubledIn(requests: readonly Seen[]): ReadonlySet<Seen> {
  const keys = new Map<string, Set<string | null>>();
  return new Set(
    requests.filter((one) => {
      const { reference, status, replayed, key } = one;
      if (status !== 201 || replayed || !reference?.startsWith('test:lost_response')) return false;
      const known = keys.get(reference) ?? new Set();
      keys.set(reference, known);
      const others = known.size - (known.has(key) ? 1 : 0);
      known.add(key);
      return others > 0;
    }),
  );
}

/** After a 409: another request that succeeds, and not the same one again and again. */
const conflict: Rule = (one, index, all) => {
  if (one.status !== 409 || !isOwn(one) || !CONFLICTS.includes(one.code ?? '')) return null;
  const isRepeat = (other: Seen) => other.status === 409 && other.key === one.key;
  // The first of several equal ones is judged.
  const since = one.at.getTime() - AFTER_REFUSAL;
  if (all.slice(Math.max(0, index - FURTHER), index).some((other) => isRepeat(other) && other.at.getTime() >= since))
    return null;
  const next = after(index, all, AFTER_REFUSAL);
  const loop = next.filter(isRepeat)[LOOP - 1];
  if (loop) return { state: 'failed', by: loop };
  const answer = next.find((other) => isOwn(other) && isDone(other) && (other.key === null || other.key !== one.key));
  return answer ? { state: 'met', by: answer } : null;
};

/** After a 429: no request until the shortest wait has passed, and the next one is not limited. */
const rateLimit: Rule = (one, index, all) => {
  if (one.status !== 429 || one.reason !== null || !isOwn(one)) return null;
  const begun = one.at.getTime();
  const earlier = all.slice(Math.max(0, index - FURTHER), index).filter(({ status }) => status === 429);
  if (one.key !== null) {
    if (earlier.some(({ key }) => key === one.key)) return null;
    const again = after(index, all, AFTER_REFUSAL).find(({ key }) => key === one.key);
    if (!again) return null;
    const waited = again.at.getTime() - begun >= SHORTEST_WAIT && again.status !== 429;
    return { state: waited ? 'met' : 'failed', by: again };
  }
  // One refusal of a burst is judged, the first.
  if (earlier.some(({ at }) => begun - at.getTime() <= SHORTEST_WAIT)) return null;
  // A burst can have more requests than are looked at otherwise.
  let next = index + 1;
  while (next < all.length && (all[next]?.at.getTime() ?? 0) - begun <= SHORTEST_WAIT) next += 1;
  const again = all[next];
  if (!again || again.at.getTime() - begun > AFTER_REFUSAL) return null;
  return { state: again.status === 429 ? 'failed' : 'met', by: again };
};

/** After the clock was advanced, other requests succeed. */
function clock(one: Seen, index: number, all: readonly Seen[], advances: ReadonlySet<number>): Verdict | null {
  if (one.route !== '/test/clock' || !isDone(one) || one.replayed || !advances.has(one.at.getTime())) return null;
  const next = after(index, all, AFTER_CLOCK).filter(isOwn);
  const answer = next.find(isDone);
  if (answer) return { state: 'met', by: answer };
  const last = next[LOST - 1];
  return last ? { state: 'failed', by: last } : null;
}

/** The receiver accepted the genuine event and refused the forged one. */
function signature({ at, requestId: id, genuine, forged }: SignatureCheck): Verdict | null {
  if (genuine === null || forged === null) return null;
  const right = genuine >= 200 && genuine < 300 && forged >= 400 && forged < 500;
  return { state: right ? 'met' : 'failed', by: { id, at } };
}

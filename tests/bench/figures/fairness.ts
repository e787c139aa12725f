import { getRequest, partnerRequest } from '../compare';
import type { Outcome, Row } from '../figure';
import { startLoad } from '../load/driver';
import type { OpenReport } from '../load/open';
import { emptyBookings, makeSalon, type Salon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';
import { bookingRequest } from './create';

/**
 * Seconds for which the partner's latencies are measured. In 30 seconds, the partner sends 300 creates, so a single
 * slow create does not determine the p99. In a trial run, the partner sends only 10 creates, so a single slow create
 * does determine the p99.
 */
const SECONDS = sized(30, 1);
/**
 * Seconds of a warm-up with the first flood. In the first five seconds of a new process, V8 has not optimized the
 * code yet, and responses take several times as long.
 */
const WARM_UP_SECONDS = sized(10, 2);
/** The flood starts this many seconds before the partner's requests, and ends this many seconds after them. */
const LEAD = sized(1, 0.25);
/** The partner's requests per second: 10 catalog reads, 10 creates, and 20 availability reads. */
const PARTNER_RATE = 40;
const FLOOD_CONNECTIONS = 200;
/**
 * If the partner's p99 during a flood is at most this many milliseconds, the server counts as fair, however low the p99
 * without a flood is.
 */
const ALWAYS_FAIR = 50;
const TIMES = 3;
const QUOTA = 1_000_000;
/**
 * The index of the partner's first booking (see `bookingRequest`). Floods book only the slots with lower indexes, and
 * therefore do not compete with the partner for a slot.
 */
const FIRST_OF_PARTNER = 25_000;
/** Number of slots that `bookingRequest` books. The requests with the indexes n and n + SLOTS book the same slot. */
const SLOTS = 34_560;

/** Requests per second in the flood that creates bookings. */
const CREATES = 2_000;
/** Number of requests that are sent during the warm-up. Each one creates a booking. */
const WARM_UP = CREATES * WARM_UP_SECONDS;

/** A flood of `rate` requests per second. */
type Flood = { name: string; rate: number; requests: string[] };

/**
 * Returns the floods. The first three come from another application. Each flood except `no key` has a higher rate than
 * the server can handle. The server can handle all requests of `no key`, because a refusal takes little time.
 */
function floodsOf(flooder: Stage, salon: Salon): Flood[] {
  const count = WARM_UP + CREATES * (SECONDS + 2 * LEAD);
  const indexOf = (n: number) => Math.floor(n / FIRST_OF_PARTNER) * SLOTS + (n % FIRST_OF_PARTNER);
  const creates = Array.from({ length: count }, (_, n) => bookingRequest(flooder, salon, indexOf(n)));
  const read = (days: number) => [partnerRequest(flooder, availabilityOf(salon, 3, days))];
  return [
    { name: 'creates', rate: CREATES, requests: creates },
    { name: 'reads of 3 days', rate: 4_000, requests: read(3) },
    { name: 'reads of 29 days', rate: 2_000, requests: read(29) },
    { name: 'no key', rate: 4_000, requests: [getRequest('/api/partner/v1/catalog')] },
    { name: 'sign-in', rate: 500, requests: [getRequest('/sign-in')] },
  ];
}

/**
 * Measures how much a partner is delayed by floods. The result is the partner's p99 during the worst flood, divided
 * by the allowed p99. The allowed p99 is `TIMES` times the p99 without a flood, but at least `ALWAYS_FAIR`. If one of
 * the partner's requests failed, the result is Infinity.
 */
export async function measureFairness(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await emptyBookings(pool());
  const salon = await makeSalon(stage, 30, 30);
  const { port } = await stage.serve();
  const own = startLoad();
  let index = FIRST_OF_PARTNER;
  const partner = async (seconds = SECONDS) => {
    const count = PARTNER_RATE * seconds;
    const requests = Array.from({ length: count }, (_, n) => partnerCall(stage, salon, n, index++));
    return own.runOpen({ port, requests, connections: 16, rate: PARTNER_RATE, seconds, accepted: 200 });
  };
  const floodWith = (requests: string[], rate: number, seconds: number) =>
    stage.openLoad({ port, requests, connections: FLOOD_CONNECTIONS, rate, seconds, accepted: 200 });
  try {
    const floods = floodsOf(await makeFlooder(stage), salon);
    const creates = floods[0]?.requests.splice(0, WARM_UP) ?? [];
    await Promise.all([partner(WARM_UP_SECONDS), floodWith(creates, CREATES, WARM_UP_SECONDS)]);
    const alone = await partner();
    const bound = Math.max(TIMES * p99Of(alone), ALWAYS_FAIR);
    const rows = [rowOf('partner alone', alone)];
    const notes: string[] = [];
    const ratios: number[] = [];
    for (const { name, rate, requests } of floods) {
      const flood = floodWith(requests, rate, SECONDS + 2 * LEAD);
      await new Promise((resolve) => setTimeout(resolve, LEAD * 1_000));
      const beside = await partner();
      await flood;
      const ratio = p99Of(beside) / bound;
      ratios.push(ratio);
      rows.push(rowOf(`partner beside: ${name}`, beside));
      const times = `p99 ${p99Of(alone).toFixed(0)} ms alone, ${p99Of(beside).toFixed(0)} ms beside`;
      notes.push(`${name}, ${rate} requests/s: ${times}: ${ratio < 1 ? 'ok' : 'NOT ok'}`);
    }
    return { value: Math.max(...ratios), rows, notes };
  } finally {
    await own.stop();
  }
}

function partnerCall(stage: Stage, salon: Salon, n: number, index: number): string {
  if (n % 4 === 0) return partnerRequest(stage, '/catalog');
  if (n % 4 === 1) return bookingRequest(stage, salon, index);
  return partnerRequest(stage, availabilityOf(salon, 3, 1));
}

/** Returns the path that reads the availability of all specialists on `days` days. The first is `ahead` days away. */
function availabilityOf({ serviceId, locationId }: Salon, ahead: number, days: number): string {
  const dateAfter = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const range = `date=${dateAfter(ahead)}&date_to=${dateAfter(ahead + days - 1)}`;
  return `/availability?service_id=${serviceId}&location_id=${locationId}&${range}`;
}

/**
 * Returns the p99 latency of the reads or that of the creates, whichever is larger. Returns Infinity if a request was
 * refused or unanswered.
 */
function p99Of({ p99, others, unanswered }: OpenReport): number {
  const { 201: created, ...refused } = others;
  return Object.keys(refused).length > 0 || unanswered > 0
    ? Number.POSITIVE_INFINITY
    : Math.max(p99, created?.p99 ?? 0);
}

function rowOf(label: string, report: OpenReport): Row {
  const answered = report.accepted + (report.others[201]?.count ?? 0);
  return { label, rate: answered / report.seconds, p50: report.p50, p95: Number.NaN, p99: p99Of(report) };
}

/** Creates another application, whose quota is never reached. Returns the stage with a key of this application. */
async function makeFlooder(stage: Stage): Promise<Stage> {
  const [{ db }, { issueKey }, { newId }] = await Promise.all([
    import('@/lib/platform/db'),
    import('@/lib/access/applications/keys'),
    import('@/lib/platform/ids'),
  ]);
  const { tenantId, applicationId } = stage;
  const { id: _, ...policy } = await db().application.findUniqueOrThrow({ where: { id: applicationId } });
  const other = await db().application.create({ data: { ...policy, id: newId('app'), name: 'Flood', quota: QUOTA } });
  const { key } = await issueKey(new Date(), {
    tenantId,
    applicationId: other.id,
    name: 'Flood',
    expiresAt: null,
    actor: { kind: 'system' },
  });
  return { ...stage, apiKey: key };
}

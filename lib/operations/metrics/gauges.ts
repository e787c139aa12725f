import { Gauge, type Registry } from 'prom-client';
import { bufferedLines } from '@/lib/activity/request-log/buffer';
import { isFresh } from '@/lib/platform/cache/listener';
import { pool } from '@/lib/platform/db';
import { within } from '@/lib/platform/write-transaction';
import { activeSql } from '@/lib/webhooks/active';
import { isDraining } from '../health';

/** Milliseconds that the question for deliveries may take: metrics are wanted most while the database is slow. */
const PATIENCE = 2_000;

// By endpoint, on the index of what is due: what is finished is never touched.
const DELIVERIES = `
  SELECT COALESCE(sum(waiting.count) FILTER (WHERE active), 0)::float8 AS waiting,
    COALESCE(sum(waiting.count) FILTER (WHERE NOT active), 0)::float8 AS held,
    COALESCE(GREATEST(0, EXTRACT(epoch FROM now() - min(waiting.oldest) FILTER (WHERE active))), 0)::float8 AS lag
  FROM (SELECT e.application_id, ${activeSql('e', 'a')} AS active
    FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id) AS endpoint
  CROSS JOIN LATERAL (
    SELECT count(*), min(d.due_at) AS oldest FROM deliveries d
    WHERE d.application_id = endpoint.application_id AND d.due_at IS NOT NULL AND NOT d.test) AS waiting`;

type Deliveries = { waiting: number; held: number; lag: number };

async function readDeliveries(): Promise<Deliveries | null> {
  try {
    const asked = pool().query<Deliveries>({ name: 'metrics-deliveries', text: DELIVERIES });
    return (await within(performance.now() + PATIENCE, asked)).rows[0] ?? null;
  } catch {
    // What is not known is left out; everything else is still told.
    return null;
  }
}

/** Registers what is read when somebody asks, instead of being counted as it happens. */
export function registerGauges(registry: Registry): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `partner_booking_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('cache_fresh', '1 while answers may come from memory: invalidations arrive.', () => Number(isFresh()));
  gauge('draining', '1 from the signal to stop until the end.', () => Number(isDraining()));
  gauge('request_log_buffered_lines', 'Lines of the request log that wait to be written.', bufferedLines);
  new Gauge({
    name: 'partner_booking_database_connections',
    help: 'Connections of this process: busy, idle, and requests that wait for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = pool();
      this.set({ state: 'busy' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
  registerDeliveries(registers);
}

function registerDeliveries(registers: Registry[]): void {
  // Both are read in one scrape, at the same time: one question answers both.
  let asking: Promise<Deliveries | null> | null = null;
  const ask = () => {
    asking ??= readDeliveries().finally(() => {
      asking = null;
    });
    return asking;
  };
  new Gauge({
    name: 'partner_booking_deliveries',
    help: 'Deliveries of the whole deployment that wait for an attempt, or are held by an endpoint that is not active.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      const found = await ask();
      this.reset();
      if (!found) return;
      this.set({ state: 'waiting' }, found.waiting);
      this.set({ state: 'held' }, found.held);
    },
  });
  new Gauge({
    name: 'partner_booking_delivery_lag_seconds',
    help: 'How long the oldest delivery of an active endpoint is overdue, in the whole deployment; 0 when none is.',
    registers,
    async collect() {
      const found = await ask();
      if (found) this.set(found.lag);
      else this.remove();
    },
  });
}

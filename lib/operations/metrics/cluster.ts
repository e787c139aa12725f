import { AggregatorRegistry } from 'prom-client';
import { counters } from '@/lib/activity/metrics/counters';
import { callPrimary, isWorker, serveWorkers } from '@/lib/platform/cluster';
import { singleton } from '@/lib/platform/singleton';
import { registerGauges } from './gauges';

const NAME = 'metrics';
/** Milliseconds. The primary process waits five seconds for its workers. */
const TIMEOUT = 6_000;

/** Registers the metrics of this process, and lets the primary process read them. */
export function startMetrics(): void {
  const registry = counters()?.registry;
  if (!registry) return;
  singleton('metrics-gauges', () => registerGauges(registry) ?? true);
  if (!isWorker()) return;
  AggregatorRegistry.setRegistries(registry);
  // Its constructor listens for the messages of the primary process.
  new AggregatorRegistry();
}

/**
 * Returns the metrics of the server in the Prometheus format: with several workers, the sum over all of them, or what a
 * gauge declares as its aggregator.
 * @throws Error if a worker does not respond.
 */
export async function readMetrics(): Promise<string> {
  if (isWorker()) return callPrimary<string>(NAME, null, TIMEOUT);
  startMetrics();
  return (await counters()?.registry.metrics()) ?? '';
}

/** Reads the metrics of all workers for the one that is scraped. */
export function aggregateForWorkers(): void {
  const aggregator = new AggregatorRegistry();
  serveWorkers(NAME, () => aggregator.clusterMetrics());
}

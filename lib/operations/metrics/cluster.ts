import { AggregatorRegistry } from 'prom-client';
import { counters } from '@/lib/activity/metrics/counters';
import { callPrimary, isWorker, serveWorkers } from '@/lib/platform/cluster';
import { singleton } from '@/lib/platform/singleton';
import { registerGauges } from './gauges';

const NAME = 'metrics';
/** Milliseconds. The primary waits up to five seconds for its workers, so that a worker receives its error. */
const TIMEOUT = 6_000;

/** Registers the metrics of this process. A worker also lets the primary process read them. */
export function startMetrics(): void {
  const registry = counters()?.registry;
  if (!registry) return;
  singleton('metrics-gauges', () => registerGauges(registry) ?? true);
  if (!isWorker()) return;
  AggregatorRegistry.setRegistries(registry);
  // The constructor adds the listener that sends this worker's metrics to the primary process.
  new AggregatorRegistry();
}

/**
 * Returns the server's metrics for Prometheus, those of several workers added up unless a gauge says otherwise.
 * @throws Error if a worker does not respond.
 */
export async function readMetrics(): Promise<string> {
  if (isWorker()) return callPrimary<string>(NAME, null, TIMEOUT);
  startMetrics();
  return (await counters()?.registry.metrics()) ?? '';
}

/** Makes this primary process answer workers that request the metrics of all workers. */
export function aggregateForWorkers(): void {
  const aggregator = new AggregatorRegistry();
  serveWorkers(NAME, () => aggregator.clusterMetrics());
}

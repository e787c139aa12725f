import { AggregatorRegistry } from 'prom-client';
import { counters } from '@/lib/activity/metrics/counters';
import { callPrimary, isWorker, serveWorkers } from '@/lib/platform/cluster';
import { singleton } from '@/lib/platform/singleton';
import { registerGauges } from './gauges';

const NAME = 'metrics';
/**
 * Timeout in milliseconds of a call from a worker to the primary process. The primary process itself waits up to
 * five seconds for its workers. This timeout is longer, so that the worker receives the primary process's error.
 */
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
 * Returns the metrics of the server in the Prometheus format. The values of several workers are added up, unless a
 * gauge declares another aggregator.
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

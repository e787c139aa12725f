import { AggregatorRegistry } from 'prom-client';
import { counters } from '@/lib/activity/metrics/counters';
import { callPrimary, isWorker, serveWorkers } from '@/lib/platform/cluster';
import { singleton } from '@/lib/platform/singleton';
import { registerGauges } from './gauges';

const NAME = 'metrics';
/**
 * Timeout in milliseconds of a call from a worker to the primary process. The primary process waits up to five seconds
 * for the metrics of its workers. The timeout is longer than these five seconds, so that the worker receives the
 * primary process's error.
 */
const TIMEOUT = 6_000;

/** Registers the metrics of this process. In a worker, also allows the primary process to read them. */
export function startMetrics(): void {
  const registry = counters()?.registry;
  if (!registry) return;
  singleton('metrics-gauges', () => registerGauges(registry) ?? true);
  if (!isWorker()) return;
  AggregatorRegistry.setRegistries(registry);
  // The constructor registers a listener for requests from the primary process.
  new AggregatorRegistry();
}

/**
 * Returns the metrics of the server in the Prometheus format. With several workers, each value is the sum over all
 * workers, unless its gauge declares another aggregator.
 * @throws Error if a worker does not respond.
 */
export async function readMetrics(): Promise<string> {
  if (isWorker()) return callPrimary<string>(NAME, null, TIMEOUT);
  startMetrics();
  return (await counters()?.registry.metrics()) ?? '';
}

/**
 * In the primary process, registers a function that returns the metrics of all workers to a worker that requests them.
 */
export function aggregateForWorkers(): void {
  const aggregator = new AggregatorRegistry();
  serveWorkers(NAME, () => aggregator.clusterMetrics());
}

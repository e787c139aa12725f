import cluster from 'node:cluster';
import { on } from 'node:events';
import { AggregatorRegistry } from 'prom-client';
import { counters } from '@/lib/activity/metrics/counters';
import { isWorker } from '@/lib/platform/cluster';
import { singleton } from '@/lib/platform/singleton';
import { registerGauges } from './gauges';

/** Milliseconds. The primary waits up to five seconds for its workers, so that a worker receives its error. */
const TIMEOUT = 6_000;

type Question = { wants?: 'metrics' };
type Answer = { metrics?: string; problem?: string };

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
  if (isWorker()) return askPrimary();
  startMetrics();
  return (await counters()?.registry.metrics()) ?? '';
}

/** Any answer will do: all that arrive after the question are newer than it, or at most seconds older. */
async function askPrimary(): Promise<string> {
  const messages = on(process, 'message', { signal: AbortSignal.timeout(TIMEOUT) });
  process.send?.({ wants: 'metrics' } satisfies Question, () => undefined);
  for await (const [message] of messages) {
    const { metrics, problem } = (message ?? {}) as Answer;
    if (problem !== undefined) throw new Error(problem);
    if (metrics !== undefined) return metrics;
  }
  throw new Error('The primary process does not respond.');
}

/** Makes this primary process answer workers that request the metrics of all workers. */
export function aggregateForWorkers(): void {
  const aggregator = new AggregatorRegistry();
  const read = (): Promise<Answer> =>
    aggregator.clusterMetrics().then(
      (metrics) => ({ metrics }),
      (error: Error) => ({ problem: error.message }),
    );
  cluster.on('message', async (worker, message: Question | null) => {
    if (message?.wants !== 'metrics') return;
    const answer = await read();
    // The worker may have exited meanwhile.
    if (worker.isConnected()) worker.send(answer, () => undefined);
  });
}

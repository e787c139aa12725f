import { env } from '@/lib/platform/env';
import { parseHeaderList } from '@/lib/platform/setting-headers';
import { singleton } from '@/lib/platform/singleton';
import type { LogEntry } from './log-entry';
import { createFileSink } from './sink-file';
import { createOtlpSink } from './sink-otlp';
import { createQueue, type Queue } from './sink-queue';

/**
 * Maximum milliseconds for which a stopping process sends the entries that wait for a sink. After that, closing the
 * sink can take as long again.
 */
const CLOSE_WITHIN = 1_000;

function queues(): Queue[] {
  return singleton('log-sinks', () => {
    const { REQUEST_LOG_FILE, REQUEST_LOG_OTLP_URL, REQUEST_LOG_OTLP_HEADERS, ENVIRONMENT } = env();
    const sinks: Queue[] = [];
    if (REQUEST_LOG_FILE) sinks.push(createQueue(createFileSink(REQUEST_LOG_FILE)));
    if (REQUEST_LOG_OTLP_URL) {
      const resource = { 'service.name': 'partner-booking', 'deployment.environment.name': ENVIRONMENT };
      const headers = parseHeaderList(REQUEST_LOG_OTLP_HEADERS ?? '') ?? {};
      sinks.push(createQueue(createOtlpSink({ url: REQUEST_LOG_OTLP_URL, headers, resource })));
    }
    return sinks;
  });
}

/**
 * Gives a log entry to the sinks (architecture 6). Call this function after the insert of the entry has committed or
 * failed. The sinks then get every entry, even one whose insert failed. Never throws and never waits.
 */
export function offerToSinks(entry: LogEntry): void {
  for (const queue of queues()) queue.offer(entry);
}

/** Returns the number of entries that wait for each sink. */
export function queuedForSinks(): { sink: string; entries: number }[] {
  return queues().map(({ name, queued }) => ({ sink: name, entries: queued() }));
}

/** Sends the entries that wait, and closes the sinks. */
export async function closeSinks(): Promise<void> {
  await Promise.all(queues().map(({ close }) => close(CLOSE_WITHIN)));
}

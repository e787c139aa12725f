import { Agent, request } from 'undici';
import { makePerson, openSessionOf } from '../support/control-center';
import type { Stage } from './stage';

/** Milliseconds between the starts of two page views. */
const INTERVAL = 10_000;
/** Number of page views before the measurement. The first view is slow, because Next.js loads the page's code. */
const WARM_UP = 20;

/** The response times of successful views in ascending order, in milliseconds, and the number of failed views. */
export type Views = { latencies: number[]; failed: number };

/**
 * Signs in an owner and warms up the Bookings page. The returned `start` opens this page every ten seconds, even if an
 * earlier view is still loading. `end` stops this, and returns the result of all views.
 */
export async function prepareViews(
  { tenantId }: Stage,
  port: number,
): Promise<{ start: () => { end: () => Promise<Views> } }> {
  const cookie = await openSessionOf(await makePerson(tenantId));
  const dispatcher = new Agent();
  const view = async () => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/t/${tenantId}/bookings`, {
      dispatcher,
      headers: { cookie },
    });
    await body.dump({ limit: Number.POSITIVE_INFINITY });
    return statusCode === 200;
  };
  for (let n = 0; n < WARM_UP; n++) if (!(await view())) throw new Error('The Bookings page was not rendered.');
  const start = () => {
    const result: Views = { latencies: [], failed: 0 };
    const running: Promise<void>[] = [];
    const measured = async () => {
      const startedAt = performance.now();
      if (await view().catch(() => false)) result.latencies.push(performance.now() - startedAt);
      else result.failed++;
    };
    const begin = () => running.push(measured());
    begin();
    const timer = setInterval(begin, INTERVAL);
    const end = async () => {
      clearInterval(timer);
      await Promise.all(running);
      await dispatcher.close();
      result.latencies.sort((a, b) => a - b);
      return result;
    };
    return { end };
  };
  return { start };
}

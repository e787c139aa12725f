import { setTimeout } from 'node:timers/promises';

/**
 * Milliseconds. A read takes some of them of the processor, so the pauses grow with the time that has passed, of which
 * they are a tenth.
 */
const PAUSE = { least: 20, most: 200 };

/**
 * Reads until `done` accepts the value, and returns the value.
 * @param within timeout in milliseconds
 * @throws Error with the last value if `done` accepts no value within the timeout
 */
export async function until<T>(read: () => Promise<T>, done: (value: T) => boolean, within = 30_000): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    const passed = performance.now() - startedAt;
    if (passed > within)
      throw new Error(`No value was accepted within ${within} ms. The last value: ${JSON.stringify(value)}`);
    await setTimeout(Math.min(Math.max(PAUSE.least, passed / 10), PAUSE.most));
  }
}

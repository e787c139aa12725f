/** Milliseconds. */
const PAUSE = 20;

/**
 * Reads until `done` accepts the value, and returns the value.
 * @param within timeout in milliseconds
 * @throws Error with the last value if `done` accepts no value within the timeout
 */
export async function until<T>(read: () => Promise<T>, done: (value: T) => boolean, within = 30_000): Promise<T> {
  const deadline = performance.now() + within;
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`No value was accepted within ${within} ms. The last value: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

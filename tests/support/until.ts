/** Milliseconds between two looks. */
const PAUSE = 20;

/**
 * Reads until `done` accepts what was read, and returns that.
 * @param within milliseconds after which it is an error that names what was read last.
 */
export async function until<T>(read: () => Promise<T>, done: (value: T) => boolean, within = 10_000): Promise<T> {
  const deadline = performance.now() + within;
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    if (performance.now() > deadline) throw new Error(`Not so within ${within} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

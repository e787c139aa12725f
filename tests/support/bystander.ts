import { sendRaw } from './raw';

/** Longest time in milliseconds that a client may wait while others send hostile requests. */
export const NOTICEABLE = 1_000;

/**
 * Sends requests to the partner API one after the other, from a separate address, until `work` ends. Returns the
 * duration of the slowest request in milliseconds and the result of `work`.
 */
export async function besides<T>(origin: string, work: () => Promise<T>): Promise<{ longest: number; result: T }> {
  let working = true;
  let longest = 0;
  const bystander = async () => {
    while (working) {
      const begun = performance.now();
      await sendRaw(origin, '/api/partner/v1/catalog');
      longest = Math.max(longest, performance.now() - begun);
    }
  };
  const ended = bystander();
  try {
    return { result: await work(), longest };
  } finally {
    working = false;
    await ended;
  }
}

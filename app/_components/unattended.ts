/** The request header that marks a call which the page sends by itself while nobody uses it. */
export const UNATTENDED_HEADER = 'x-unattended';

/** Milliseconds after the last input until the page counts as unattended. */
const ATTENTION = 60_000;

const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Starts to watch for input. Returns a function that returns whether there was none for a minute. The first minute counts
 * as attended, because someone has opened the page.
 */
export function watchAttention(): () => boolean {
  let last = Date.now();
  const note = () => {
    last = Date.now();
  };
  for (const input of INPUTS) window.addEventListener(input, note, { capture: true, passive: true });
  return () => Date.now() - last > ATTENTION;
}

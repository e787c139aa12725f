import { z } from 'zod';

type Message = string | ((issue: { input?: unknown }) => string);

/**
 * Returns the schema of a text of at most `max` UTF-16 code units. Every text of an input starts with this schema. A
 * longer text is refused before any further check or transformation, so `max` bounds their cost. A zod format such as
 * `z.url()` would check the whole text first, so it must be added with `.check()`.
 * @param tooLong the message for a longer text
 * @param error the message for a value that is not text
 */
export function boundedText(max: number, tooLong?: string, error?: Message) {
  return z.string({ error }).max(max, { abort: true, ...(tooLong !== undefined && { message: tooLong }) });
}

/**
 * Returns the schema of a text that is only looked up or compared, such as an id. It accepts any text, but keeps only
 * the first `max` UTF-16 code units. `max` must be greater than the length of every text that can be found.
 */
export function cutText(max: number) {
  return z.string().overwrite((text) => text.slice(0, max));
}

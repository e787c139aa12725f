import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';

/** What describes a change in a person's language. */
export type Texts = { t: Translator<'audit'>; words: Translator<'words'>; format: Formats };

type Messages = { (key: never, values?: never): string; has(key: never): boolean };

/**
 * Returns the message for a word of the audit log, such as `fields.price`. Returns null if there is none: another
 * version may have written the word.
 */
export function messageFor(messages: Messages, key: string, values?: Record<string, string>): string | null {
  const known = key as never;
  return messages.has(known) ? messages(known, values as never) : null;
}

import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';

/** What describes a change in a person's language. */
export type Texts = { t: Translator<'audit'>; words: Translator<'words'>; format: Formats };

type Messages = { (key: never, values?: never): string; has(key: never): boolean };

/** Returns null for a word without a message, which another version may have written. */
export function messageFor(messages: Messages, key: string, values?: Record<string, string>): string | null {
  const known = key as never;
  return messages.has(known) ? messages(known, values as never) : null;
}

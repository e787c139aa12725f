import type { Language } from '@/lib/platform/text/languages';
import de from './de/errors.json';
import es from './es/errors.json';
import fr from './fr/errors.json';

/** By language, the translations of the English messages. `{a}`, `{b}`, and `{n}` stand for what differs. */
const TRANSLATIONS: Record<Exclude<Language, 'en'>, Record<string, string>> = { de, fr, es };

/** A longer text is not a message of ours. */
const MAX_MESSAGE = 500;

const PLACE = /\{([abn])\}/;

const COUNT = /^\d[\d,]*$/;

/** `parts` alternate: fixed text, and the name of what differs. */
type Pattern = { parts: readonly string[]; translated: string };

const patternsOf = (texts: Record<string, string>): Pattern[] =>
  Object.entries(texts)
    .map(([english, translated]) => ({ parts: english.split(PLACE), translated }))
    .filter(({ parts }) => parts.length > 1);

const PATTERNS = { de: patternsOf(de), fr: patternsOf(fr), es: patternsOf(es) };

/** Returns what stands at the places of a pattern, or null if the message is another one. */
function valuesIn(message: string, parts: readonly string[]): Map<string, string> | null {
  const values = new Map<string, string>();
  if (!message.startsWith(parts[0] ?? '')) return null;
  let start = parts[0]?.length ?? 0;
  for (let index = 1; index < parts.length; index += 2) {
    const [name = '', next = ''] = parts.slice(index, index + 2);
    const end = index + 2 === parts.length ? message.length - next.length : message.indexOf(next, start);
    const value = message.slice(start, Math.max(start, end));
    if (value === '' || !message.startsWith(next, end) || (name === 'n' && !COUNT.test(value))) return null;
    values.set(name, value);
    start = end + next.length;
  }
  return values;
}

/**
 * Returns an English message of an error in a language: a sentence, or what follows the name of a field, such as `must be
 * text`. A message without a translation stays as it is.
 */
export function translateError(language: Language, message: string): string {
  if (language === 'en' || message.length > MAX_MESSAGE) return message;
  const exact = TRANSLATIONS[language][message];
  if (exact !== undefined) return exact;
  for (const { parts, translated } of PATTERNS[language]) {
    const values = valuesIn(message, parts);
    if (!values) continue;
    // What a message begins with is another message. Elsewhere, a value can be data, such as the name of a service.
    const shown = (name: string, value = '') =>
      parts[0] === '' && name === parts[1] ? translateError(language, value) : value;
    return translated
      .split(PLACE)
      .map((part, index) => (index % 2 === 0 ? part : shown(part, values.get(part))))
      .join('');
  }
  return message;
}

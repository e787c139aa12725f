import type { Language } from '@/lib/platform/text/languages';
import de from './de/errors.json';
import es from './es/errors.json';
import fr from './fr/errors.json';

/** By language, the translations of the English messages. `{a}`, `{b}`, and `{n}` stand for what differs. */
const TRANSLATIONS: Record<Exclude<Language, 'en'>, Record<string, string>> = { de, fr, es };

/** A longer text is not a message of ours. */
const MAX_MESSAGE = 500;

const PLACE = /\{([abn])\}/g;

type Pattern = { names: string[]; pattern: RegExp; translated: string };

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function patternOf([english, translated]: [english: string, translated: string]): Pattern {
  const parts = english.split(PLACE);
  const source = parts.map((part, index) => (index % 2 === 0 ? escaped(part) : part === 'n' ? '(\\d[\\d,]*)' : '(.+)'));
  return { names: parts.filter((_, index) => index % 2 === 1), pattern: RegExp(`^${source.join('')}$`), translated };
}

const patternsOf = (texts: Record<string, string>) =>
  Object.entries(texts)
    .filter(([english]) => english.search(PLACE) >= 0)
    .map(patternOf);

const PATTERNS = { de: patternsOf(de), fr: patternsOf(fr), es: patternsOf(es) };

/**
 * Returns an English message of an error in a language: a sentence, or what follows the name of a field, such as `must be
 * text`. A message without a translation stays as it is.
 */
export function translateError(language: Language, message: string): string {
  if (language === 'en' || message.length > MAX_MESSAGE) return message;
  const exact = TRANSLATIONS[language][message];
  if (exact !== undefined) return exact;
  for (const { names, pattern, translated } of PATTERNS[language]) {
    const found = pattern.exec(message);
    if (found) {
      const values = new Map(names.map((name, index) => [name, found[index + 1] ?? '']));
      return translated.replace(PLACE, (_, name: string) => values.get(name) ?? '');
    }
  }
  return message;
}

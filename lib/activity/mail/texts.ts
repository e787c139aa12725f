import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import { type Language, languageOfTag } from '@/lib/platform/text/languages';
import type { Facts, MailKind, MailText } from './facts';
import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };
import es from './languages/es.json' with { type: 'json' };
import fr from './languages/fr.json' with { type: 'json' };

/** ICU messages. Each line of `text` is a paragraph. */
type Message = { subject: string; text: string; link?: string };

/** `end` has the links below a notice. */
type Messages = Record<MailKind, Message> & { end: { choose: string; refuse: string } };

const MESSAGES: Record<Language, Messages> = { en, de, fr, es };

const MAX_SUBJECT = 150;

const FORMATTERS = {
  getDateTimeFormat: Intl.DateTimeFormat,
  getNumberFormat: Intl.NumberFormat,
  getPluralRules: (...given: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...given),
};

/** Returns the language of mails that a language tag stands for. English if there is none. */
export function mailLanguage(tag: string | null): Language {
  return languageOfTag(tag ?? '') ?? 'en';
}

/** Returns what a mail says. */
export function textOf<Kind extends MailKind>(language: Language, kind: Kind, facts: Facts[Kind]): MailText {
  const { subject, text, link } = MESSAGES[language][kind];
  const values = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, shown(language, fact)]));
  // The name of a choice in a message cannot contain a dot.
  if (kind === 'account_changed') values.change = String(values.change).replace('.', '_');
  const say = (message: string) => String(format(compile(message), language, values, { formatters: FORMATTERS }));
  return {
    subject: say(subject).slice(0, MAX_SUBJECT),
    lines: say(text).split('\n'),
    link: link === undefined ? null : { text: say(link), url: String(values.url) },
  };
}

/** Returns the texts of the links below a notice. */
export function endOf(language: Language): Messages['end'] {
  return MESSAGES[language].end;
}

function shown(language: Language, fact: string | number | boolean | Date | null): string | number {
  if (typeof fact === 'number') return fact;
  if (!(fact instanceof Date)) return oneLine(String(fact));
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(fact);
  return `${day}, ${fact.toISOString().slice(11, 16)} UTC`;
}

/** Names of a business can contain no line breaks. A mail does not depend on this. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

import { type Language, languageOfTag } from '@/lib/platform/text/languages';
import type { Facts, MailKind, MailText, MailTexts } from './facts';
import { DE } from './languages/de';
import { EN } from './languages/en';
import { ES } from './languages/es';
import { FR } from './languages/fr';

const TEXTS: Record<Language, MailTexts> = { en: EN, de: DE, fr: FR, es: ES };

/** Returns the language of mails that a language tag stands for. English if there is none. */
export function mailLanguage(tag: string | null): Language {
  return languageOfTag(tag ?? '') ?? 'en';
}

/** Returns what a mail says. */
export function textOf<Kind extends MailKind>(language: Language, kind: Kind, facts: Facts[Kind]): MailText {
  const { subject, lines, link } = TEXTS[language][kind](facts);
  const named = link && { ...link, text: oneLine(link.text) };
  return { subject: oneLine(subject).slice(0, MAX_SUBJECT), lines: lines.map(oneLine), link: named };
}

const MAX_SUBJECT = 150;

/** Names of a business can contain no line breaks. A mail does not depend on this. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

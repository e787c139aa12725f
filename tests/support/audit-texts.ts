import type { Texts } from '@/app/t/[tenant]/audit/_components/texts';
import { formatsOf } from '@/lib/platform/text/formats';
import type { Language } from '@/lib/platform/text/languages';
import { translatorFor } from './messages';

/** Returns what describes changes of the audit log in a language. */
export function auditTexts(language: Language): Texts {
  return { t: translatorFor(language, 'audit'), words: translatorFor(language, 'words'), format: formatsOf(language) };
}

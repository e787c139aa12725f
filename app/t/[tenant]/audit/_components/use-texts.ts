'use client';

import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import type { Texts } from './texts';

/** Returns what describes changes in the reader's language. */
export function useTexts(): Texts {
  return { t: useTranslations('audit'), words: useTranslations('words'), format: useFormats() };
}

import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';

/** What texts about the catalog are made of: its messages, and the formats of the reader's language. */
export type Words = { t: Translator<'catalog'>; format: Formats };

/** Returns the messages of the catalog and the formats of the reader's language. */
export function useWords(): Words {
  return { t: useTranslations('catalog'), format: useFormats() };
}

/**
 * The HTML ID of each notice that a record has no bookable times, of which one is shown at a time. The button that
 * publishes refers to this ID, so screen readers announce the notice as its description.
 */
export const UNOFFERED_NOTICE = 'unoffered-notice';

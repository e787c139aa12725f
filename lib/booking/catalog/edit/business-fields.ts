import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { displayNameSchema } from '@/lib/platform/text/display-name';
import { timeZone } from './schemas';

const LOCALE = 'must be a language tag, such as de or pt-BR';
const locale = boundedText(35, LOCALE).refine(isLocale, LOCALE);

// Canonical, and in the format that the database requires.
function isLocale(tag: string): boolean {
  try {
    return /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag) && Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

/** The time zone is that of the nightly jobs, and the languages are those that partners can request. */
export const businessFields = {
  business_name: displayNameSchema(200),
  time_zone: timeZone,
  /** The first language is the default language (contract B4). */
  locales: z
    .array(locale)
    .min(1, 'must contain a language')
    .max(50, 'must contain at most 50 languages')
    .refine((tags) => new Set(tags).size === tags.length, 'must contain each language once'),
};

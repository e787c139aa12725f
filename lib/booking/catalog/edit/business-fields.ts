import { z } from 'zod';
import { displayNameSchema } from '@/lib/platform/text/display-name';
import { timeZone } from './schemas';

const locale = z
  .string()
  .max(35, { message: 'must be a language tag, such as de or pt-BR', abort: true })
  .refine(isLocale, 'must be a language tag, such as de or pt-BR');

// The form that the database holds tags to, and the spelling that everybody uses.
function isLocale(tag: string): boolean {
  try {
    return /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag) && Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

/** What is known of the business itself: its name, the zone of its nights, the languages that partners can ask for. */
export const businessFields = {
  business_name: displayNameSchema(200),
  time_zone: timeZone,
  /** The first one is what answers fall back to (contract B4). */
  locales: z
    .array(locale)
    .min(1, 'must name a language')
    .max(50, 'must name at most 50 languages')
    .refine((tags) => new Set(tags).size === tags.length, 'must name each language once'),
};

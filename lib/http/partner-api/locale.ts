import { match } from '@formatjs/intl-localematcher';
import { parse } from 'bcp-47';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Languages } from '@/lib/booking/catalog/records';
import { singleton } from '@/lib/platform/singleton';

/** Number of leading characters of an Accept-Language header that are parsed. */
const MAX_HEADER = 500;

function cache(): LRUCache<string, string> {
  return singleton('partner-api:locale', () => new LRUCache<string, string>({ max: 5_000 }));
}

/**
 * Returns the language of a response (contract B4). The parameter `locale` takes precedence over the Accept-Language
 * header. The tenant's default language is used if no supported language is requested.
 */
export function resolveLocale(
  languages: Languages,
  parameter: string | undefined,
  acceptLanguage: string | null,
): string {
  const { locales, defaultLocale } = languages;
  if (parameter === undefined && !acceptLanguage) return defaultLocale;
  const requested = parameter ?? `,${acceptLanguage?.slice(0, MAX_HEADER)}`;
  const key = `${defaultLocale} ${locales.join(' ')} ${requested}`;
  const cached = cache().get(key);
  if (cached) return cached;
  const preferred = parameter === undefined ? preferences(acceptLanguage ?? '') : matchable(parameter);
  const resolved = bestMatch(preferred, languages);
  cache().set(key, resolved);
  return resolved;
}

function preferences(header: string): string[] {
  const negotiator = new Negotiator({ headers: { 'accept-language': header.slice(0, MAX_HEADER) } });
  return negotiator.languages().filter(isMatchable);
}

// Returns a list that contains the tag. If `Intl` refuses the tag, the list contains only the tag's language, or
// nothing if `Intl` refuses the language too. For example, `Intl` refuses `zh-yue-HK`, although BCP 47 allows this tag.
function matchable(tag: string): string[] {
  return [tag, parse(tag).language ?? ''].filter(isMatchable).slice(0, 1);
}

// Matches every tag that `Intl` accepts. Most other tags do not match, so that `Intl` does not throw an error for each
// of hundreds of invalid tags in a header: an error takes longer than the rest of the request.
const TAG = /^(?:[a-z]{2,3}|[a-z]{5,8})(?:-[a-z0-9]{1,8})*$/i;

// Returns false for an invalid tag, so that invalid tags in the header are ignored. An invalid `locale` parameter has
// already been rejected.
function isMatchable(tag: string): boolean {
  try {
    return TAG.test(tag) && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

// CLDR also has matches between different languages, such as Klingon and English. The default language is better.
function bestMatch(preferred: string[], { locales, defaultLocale }: Languages): string {
  for (const tag of preferred) {
    const found = match([tag], [...locales], defaultLocale, { algorithm: 'best fit' });
    if (languageOf(found) === languageOf(tag)) return found;
  }
  return defaultLocale;
}

function languageOf(tag: string): string {
  const { language } = new Intl.Locale(tag);
  return language === 'no' || language === 'nn' ? 'nb' : language;
}

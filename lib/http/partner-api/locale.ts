import { match } from '@formatjs/intl-localematcher';
import { parse } from 'bcp-47';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Languages } from '@/lib/booking/catalog/records';
import { singleton } from '@/lib/platform/singleton';

const MAX_HEADER = 500;

function cache(): LRUCache<string, string> {
  return singleton('partner-api:locale', () => new LRUCache<string, string>({ max: 5_000 }));
}

/** Returns the language of a response (contract B4): `locale`, then Accept-Language, then the tenant's default. */
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
  // Java and POSIX write `de_DE`. RFC 9110 allows no underscore, so a tag with one has no other meaning.
  const accepted = header.slice(0, MAX_HEADER).replaceAll('_', '-');
  const negotiator = new Negotiator({ headers: { 'accept-language': accepted } });
  return negotiator.languages().filter(isMatchable);
}

// `Intl` refuses some tags that BCP 47 allows, such as `zh-yue-HK`. Their language is used.
function matchable(tag: string): string[] {
  return [tag, parse(tag).language ?? ''].filter(isMatchable).slice(0, 1);
}

// Matches every tag that `Intl` accepts, and few others, because an error of `Intl` takes longer than the rest of the
// request, and a header can contain hundreds.
const TAG = /^(?:[a-z]{2,3}|[a-z]{5,8})(?:-[a-z0-9]{1,8})*$/i;

function isMatchable(tag: string): boolean {
  try {
    return TAG.test(tag) && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

// CLDR also matches different languages, such as Klingon and English. The default language is better.
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

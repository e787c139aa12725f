import { match } from '@formatjs/intl-localematcher';
import { parse } from 'bcp-47';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { singleton } from '@/lib/platform/singleton';

/** The languages of a tenant. */
export type Languages = { locales: readonly string[]; defaultLocale: string };

/** A header longer than this is not a list of languages. */
const MAX_HEADER = 500;

function remembered(): LRUCache<string, string> {
  return singleton('partner-api:locale', () => new LRUCache<string, string>({ max: 5_000 }));
}

/**
 * Returns the language of an answer (contract B4): the `locale` parameter, else Accept-Language, else the tenant's
 * default; an unsupported language falls back to the default.
 */
export function resolveLocale(
  languages: Languages,
  parameter: string | undefined,
  acceptLanguage: string | null,
): string {
  const { locales, defaultLocale } = languages;
  if (parameter === undefined && !acceptLanguage) return defaultLocale;
  const asked = parameter ?? `,${acceptLanguage?.slice(0, MAX_HEADER)}`;
  const key = `${defaultLocale} ${locales.join(' ')} ${asked}`;
  const known = remembered().get(key);
  if (known) return known;
  const wanted = parameter === undefined ? preferences(acceptLanguage ?? '') : matchable(parameter);
  const resolved = bestMatch(wanted, languages);
  remembered().set(key, resolved);
  return resolved;
}

function preferences(header: string): string[] {
  const asked = new Negotiator({ headers: { 'accept-language': header.slice(0, MAX_HEADER) } }).languages();
  return asked.filter(isMatchable);
}

// Matching works on JavaScript's part of BCP 47; of a tag beyond it (`zh-yue-HK`) the language is left.
function matchable(tag: string): string[] {
  return [tag, parse(tag).language ?? ''].filter(isMatchable).slice(0, 1);
}

// A header may hold anything: what is no tag is passed over. Only a malformed parameter is an error.
function isMatchable(tag: string): boolean {
  try {
    return tag !== '*' && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function bestMatch(wanted: string[], { locales, defaultLocale }: Languages): string {
  return match(wanted, [...locales], defaultLocale, { algorithm: 'lookup' });
}

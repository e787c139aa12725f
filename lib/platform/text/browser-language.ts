import Negotiator from 'negotiator';
import { type Language, languageOfTag } from './languages';

/** In bytes. Browsers send fewer than 200. */
const MAX_HEADER = 500;

/** A tag that `Intl` accepts. Others are skipped. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i;

/** Returns the language that a browser prefers, by its `Accept-Language`. English if it prefers none of ours. */
export function browserLanguage(header: string | null): Language {
  const accepted = new Negotiator({ headers: { 'accept-language': header?.slice(0, MAX_HEADER) ?? 'en' } })
    .languages()
    .filter((tag) => TAG.test(tag));
  for (const tag of accepted) {
    const found = languageOfTag(tag);
    if (found) return found;
  }
  return 'en';
}

import type { Formats } from '@/lib/platform/text/formats';

/**
 * The languages that a business can choose by name, with their English names, which are the same in every browser. Any
 * other language tag can be typed.
 */
const NAMES = `
  af Afrikaans, am Amharic, ar Arabic, az Azerbaijani, be Belarusian, bg Bulgarian, bn Bangla, bs Bosnian,
  ca Catalan, cs Czech, cy Welsh, da Danish, de German, de-AT German (Austria), de-CH German (Switzerland),
  el Greek, en English, en-AU English (Australia), en-CA English (Canada), en-GB English (United Kingdom),
  en-US English (United States), es Spanish, es-419 Spanish (Latin America), es-MX Spanish (Mexico), et Estonian,
  eu Basque, fa Persian, fi Finnish, fil Filipino, fr French, fr-BE French (Belgium), fr-CA French (Canada),
  fr-CH French (Switzerland), ga Irish, gl Galician, gu Gujarati, he Hebrew, hi Hindi, hr Croatian, hu Hungarian,
  hy Armenian, id Indonesian, is Icelandic, it Italian, ja Japanese, ka Georgian, kk Kazakh, km Khmer, kn Kannada,
  ko Korean, ky Kyrgyz, lb Luxembourgish, lo Lao, lt Lithuanian, lv Latvian, mk Macedonian, ml Malayalam,
  mn Mongolian, mr Marathi, ms Malay, mt Maltese, my Burmese, nb Norwegian Bokmål, ne Nepali, nl Dutch,
  nl-BE Dutch (Belgium), nn Norwegian Nynorsk, pa Punjabi, pl Polish, ps Pashto, pt Portuguese,
  pt-BR Portuguese (Brazil), pt-PT Portuguese (Portugal), rm Romansh, ro Romanian, ru Russian, si Sinhala,
  sk Slovak, sl Slovenian, so Somali, sq Albanian, sr Serbian, sv Swedish, sw Swahili, ta Tamil, te Telugu,
  th Thai, ti Tigrinya, tk Turkmen, tr Turkish, uk Ukrainian, ur Urdu, uz Uzbek, vi Vietnamese, yi Yiddish,
  yo Yoruba, zh Chinese, zh-Hans Chinese (simplified), zh-Hant Chinese (traditional), zu Zulu`;

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  NAMES.trim()
    .split(/,\s+/)
    .map((entry): [string, string] => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]),
);

export const LANGUAGE_TAGS = [...LANGUAGES.keys()];

function nameOf({ language, displayName }: Formats, tag: string): string | undefined {
  const english = LANGUAGES.get(tag);
  return english && language !== 'en' ? displayName('language', tag) : english;
}

/** Returns the name with the tag, such as `German (de)`; of a language without a known name, the tag. */
export function languageLabel(format: Formats, tag: string): string {
  const name = nameOf(format, tag);
  return name === undefined ? tag : `${name} (${tag})`;
}

const plain = (text: string) => text.trim().toLowerCase();

const namesOf = (format: Formats, tag: string) =>
  [nameOf(format, tag), LANGUAGES.get(tag)].map((name) => plain(name ?? ''));

/** Returns the tag of a language that was typed by its name, such as `de` for `german`, or the same text. */
export function tagOf(format: Formats, text: string): string {
  const typed = plain(text);
  return LANGUAGE_TAGS.find((tag) => plain(tag) === typed || namesOf(format, tag).includes(typed)) ?? text.trim();
}

/** Returns the tags whose name or tag contains a text. Those that start with it come first. */
export function matchingLanguages(format: Formats, text: string): string[] {
  const typed = plain(text);
  const found = LANGUAGE_TAGS.filter((tag) =>
    namesOf(format, tag).some((name) => `${name} ${plain(tag)}`.includes(typed)),
  );
  const isFirst = (tag: string) => plain(tag) === typed || namesOf(format, tag).some((name) => name.startsWith(typed));
  return [...found.filter(isFirst), ...found.filter((tag) => !isFirst(tag))];
}

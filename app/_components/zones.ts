import type { Formats } from '@/lib/platform/text/formats';

/**
 * A time zone for a picker, from the server (`zoneChoices` in `lib/platform/time-zones`). `country` is the English name,
 * which is the same in every browser.
 */
export type ZoneChoice = {
  name: string;
  offset: string;
  country: string | null;
  country_code: string | null;
  other_names: string[];
};

const plain = (text: string) => text.toLowerCase().replaceAll('_', ' ');

/**
 * Returns the time zones that a text finds: by a part of the name, such as the city, of another name, or of the
 * country, or by the offset. Cities that start with the text come first.
 */
export function matchingZones(format: Formats, choices: readonly ZoneChoice[], text: string): ZoneChoice[] {
  const searched = plain(text).trim();
  const ranked = choices.flatMap((choice) => {
    const rank = rankOf(format, choice, searched);
    return rank === null ? [] : [{ choice, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ choice }) => choice);
}

function rankOf(format: Formats, choice: ZoneChoice, searched: string): number | null {
  const { name, offset, country, other_names } = choice;
  if (plain(name.slice(name.lastIndexOf('/') + 1)).startsWith(searched)) return 0;
  if (plain(name).includes(searched)) return 1;
  if (other_names.some((other) => plain(other).includes(searched))) return 2;
  const countries = [country, countryOf(format, choice)].map((one) => one?.toLowerCase() ?? '');
  if (countries.some((one) => one.includes(searched)) || offset.startsWith(searched)) return 3;
  return null;
}

/** Returns the canonical name of a name that the browser knows, or the same name if it is unknown. */
export function canonicalName(choices: readonly ZoneChoice[], name: string): string {
  return choices.find((choice) => choice.name === name || choice.other_names.includes(name))?.name ?? name;
}

function countryOf({ language, displayName }: Formats, { country, country_code }: ZoneChoice): string | null {
  return country_code === null || language === 'en' ? country : displayName('region', country_code);
}

function zoneDetail(format: Formats, choice: ZoneChoice): string {
  return [countryOf(format, choice), `UTC${choice.offset}`].filter(Boolean).join(', ');
}

/**
 * Returns the properties of an `Autocomplete` for time zones: it finds them by `matchingZones`, shows the offset, and
 * takes the only suggestion on Enter.
 */
export function zoneProps(
  format: Formats,
  choices: readonly ZoneChoice[],
  value: string,
  onChange: (name: string) => void,
) {
  const byName = new Map(choices.map((choice) => [choice.name, choice]));
  return {
    data: choices.map(({ name }) => name),
    filter: ({ search, limit }: { search: string; limit: number }) =>
      matchingZones(format, choices, search)
        .slice(0, limit)
        .map(({ name }) => ({ value: name, label: name })),
    detailOf: (name: string) => {
      const choice = byName.get(name);
      return choice ? zoneDetail(format, choice) : '';
    },
    onKeyDown: (event: { key: string; preventDefault: () => void; nativeEvent: { isComposing: boolean } }) => {
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || byName.has(value)) return;
      const [only, ...others] = matchingZones(format, choices, value);
      if (value.trim() === '' || !only || others.length > 0) return;
      event.preventDefault();
      onChange(only.name);
    },
  };
}

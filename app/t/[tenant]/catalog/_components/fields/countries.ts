import { COUNTRIES } from '@/lib/contract/countries';
import type { Formats } from '@/lib/platform/text/formats';

/** Returns the options of a country field, ordered by name. A selected code that is not a country stays selectable. */
export function countryOptions(format: Formats, selected: string): { value: string; label: string }[] {
  const options = [...COUNTRIES].map((value) => ({ value, label: format.displayName('region', value) }));
  options.sort((one, other) => format.compare(one.label, other.label));
  return selected === '' || COUNTRIES.has(selected) ? options : [{ value: selected, label: selected }, ...options];
}

import { COUNTRIES } from '@/lib/contract/countries';

/** Returns the options of a country field, ordered by name. A selected code that is not a country stays selectable. */
export function countryOptions(selected: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  const options = [...COUNTRIES].map((value) => ({ value, label: names.of(value) ?? value }));
  options.sort((one, other) => one.label.localeCompare(other.label, 'en'));
  return selected === '' || COUNTRIES.has(selected) ? options : [{ value: selected, label: selected }, ...options];
}

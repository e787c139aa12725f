import { capitalized, languageName } from './format';

const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/;

/**
 * Returns the label of the field at a path of a record, such as `Name (English)` for `name.en`. If no field has this
 * path, returns the label of the nearest parent path that has a field. If there is no such parent path, makes a label
 * from the first part of the path. If the second part is a language, this label also names the language.
 * @param labels The labels of the form's fields by their paths.
 */
export function fieldLabel(labels: ReadonlyMap<string, string>, path: string): string {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const label = labels.get(parts.slice(0, length).join('.'));
    if (label !== undefined) return label;
  }
  const [name = path, language = ''] = parts;
  const label = capitalized(name.replaceAll('_', ' '));
  return LANGUAGE.test(language) && languageName(language) !== language
    ? `${label} (${languageName(language)})`
    : label;
}

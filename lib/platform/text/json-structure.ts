import { type JSONPath, visit } from 'jsonc-parser';

/** The error for a JSON text with too many nesting levels. */
export class JsonTooDeep extends Error {}

/**
 * Returns the path of every duplicate key in a JSON text. Some parsers use the first value of a duplicate key, others
 * use the last value. Malformed JSON is not reported, because `JSON.parse` reports it.
 * @throws JsonTooDeep if objects and arrays are nested deeper than `maxDepth`.
 */
export function duplicateKeys(text: string, maxDepth: number): JSONPath[] {
  const found: JSONPath[] = [];
  const levels: Set<string>[] = [];
  const enter = () => {
    // Arrays have no keys, but get a set too. The number of sets is therefore the nesting level.
    levels.push(new Set());
    if (levels.length > maxDepth) throw new JsonTooDeep('The JSON is nested too deeply.');
  };
  const leave = () => void levels.pop();
  visit(text, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty: (key, _offset, _length, _line, _character, parent: () => JSONPath) => {
      const keys = levels.at(-1);
      if (keys?.has(key)) found.push([...parent(), key]);
      keys?.add(key);
    },
  });
  return found;
}

import { type JSONPath, visit } from 'jsonc-parser';

/** The error for a JSON text with too many nesting levels. */
export class JsonTooDeep extends Error {}

/**
 * Returns the path of every duplicate key in a JSON text. Duplicate keys are not allowed, because some parsers use the
 * first value and others the last value. This function does not report malformed JSON, because `JSON.parse` reports it.
 * @throws JsonTooDeep if objects and arrays are nested deeper than `maxDepth`.
 */
export function duplicateKeys(text: string, maxDepth: number): JSONPath[] {
  const found: JSONPath[] = [];
  const levels: Set<string>[] = [];
  const enter = () => {
    // Arrays get a set too, although they have no keys, because the number of sets is the nesting level.
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

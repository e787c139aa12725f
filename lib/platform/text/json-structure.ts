import { type JSONPath, visit } from 'jsonc-parser';

/** A JSON text has more levels than allowed. */
export class JsonTooDeep extends Error {}

/**
 * Returns the path of every duplicate key in a JSON text. Parsers differ in which of the values they return. Malformed JSON
 * is not reported here: `JSON.parse` does that.
 * @throws JsonTooDeep when objects and arrays are nested deeper than `maxDepth`.
 */
export function duplicateKeys(text: string, maxDepth: number): JSONPath[] {
  const found: JSONPath[] = [];
  const levels: Set<string>[] = [];
  const enter = () => {
    // An array gets an empty set: it only counts as a nesting level.
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

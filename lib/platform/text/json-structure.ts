import { type JSONPath, visit } from 'jsonc-parser';

export class JsonTooLarge extends Error {
  /** `at` is the position in the text. */
  constructor(
    readonly limit: keyof JsonLimits,
    readonly at: number,
  ) {
    super(`The JSON exceeds the limit of ${limit}.`);
  }
}

/** `depth`: nesting. `entries`: of one object or array. `values`: about all. `text`: characters of a string or key. */
export type JsonLimits = { depth: number; entries: number; values: number; text?: number };

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Checks the size of a JSON text without parsing it: 16 MiB of empty entries would take hundreds of megabytes.
 * Malformed JSON is left to `JSON.parse`.
 * @throws JsonTooLarge at the first entry beyond a limit.
 */
export function checkJsonSize(text: string, limits: JsonLimits): void {
  const commas = new Uint32Array(limits.depth + 1);
  let [depth, values, at] = [0, 0, 0];
  const count = () => {
    values += 1;
    if (values > limits.values) throw new JsonTooLarge('values', at);
  };
  const { text: longest = Number.POSITIVE_INFINITY } = limits;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = endOfString(text, at);
      if (at - start > longest) throw new JsonTooLarge('text', start);
    } else if (code === COMMA) {
      const entries = (commas[depth] ?? 0) + 2;
      commas[depth] = entries - 1;
      if (entries > limits.entries) throw new JsonTooLarge('entries', at);
      count();
    } else if (OPEN.has(code)) {
      depth += 1;
      if (depth > limits.depth) throw new JsonTooLarge('depth', at);
      commas[depth] = 0;
      count();
    } else if (CLOSE.has(code)) depth = Math.max(0, depth - 1);
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** Returns at most `most` paths of duplicate keys. Limit the text with `checkJsonSize` first. */
export function duplicateKeys(text: string, most: number): JSONPath[] {
  const found: JSONPath[] = [];
  // Arrays have no keys, but get a set too.
  const levels: Set<string>[] = [];
  const enter = () => void levels.push(new Set());
  const leave = () => void levels.pop();
  visit(text, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty: (key, _offset, _length, _line, _character, parent: () => JSONPath) => {
      const keys = levels.at(-1);
      if (keys?.has(key) && found.length < most) found.push([...parent(), key]);
      keys?.add(key);
    },
  });
  return found;
}

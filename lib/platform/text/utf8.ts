/**
 * Returns the text of UTF-8 bytes without a byte order mark, or the line and byte (from 1) of the first that is not
 * UTF-8. Also runs in the browser. `bytes` must have a bounded length.
 */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { line: number; byte: number } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const byte = firstInvalid(bytes);
    return { line: 1 + bytes.subarray(0, byte).filter((one) => one === 0x0a).length, byte: byte + 1 };
  }
}

/** Returns the issue of a document that is not UTF-8. */
export function notUtf8({ line, byte }: { line: number; byte: number }): string {
  return `is not UTF-8: line ${line}, byte ${byte} of the file. Save it as UTF-8`;
}

/** Bytes of a character that a decoder accepts before it needs another one. */
const MAX_BEGUN = 3;

// A decoder does not say where it failed, so the longest valid beginning is found by halves. It may end within a
// character, whose first byte is then the wrong one.
function firstInvalid(bytes: Uint8Array): number {
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isValid(bytes.subarray(0, middle), true)) valid = middle;
    else invalid = middle;
  }
  const begun = Array.from({ length: MAX_BEGUN }, (_, back) => valid - back);
  return begun.find((end) => end >= 0 && isValid(bytes.subarray(0, end), false)) ?? valid - MAX_BEGUN;
}

function isValid(bytes: Uint8Array, mayContinue: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: mayContinue });
    return true;
  } catch {
    return false;
  }
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/**
 * Builds a JSON array from serialized records. Returns pieces, so that the caller copies them only once into its
 * output. Buffers are used, because a string with a character beyond Latin-1 takes twice the memory and is slower to
 * send.
 */
export function jsonArray(records: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [OPEN];
  for (const record of records) {
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(record);
  }
  pieces.push(CLOSE);
  return pieces;
}

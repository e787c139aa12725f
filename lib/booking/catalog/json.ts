const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/**
 * Returns a JSON array of records that are already JSON. The result is a list of pieces, so that each response
 * concatenates them only once. The pieces are buffers instead of strings, because a string with a character beyond
 * Latin-1 takes twice the memory and is several times slower to send.
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

const COMMA = 44;
const MINUS = 45;
const ZERO = 48;

/** Returns the whole numbers of a text that separates them by commas. Several times faster than `JSON.parse`. */
export function parseMinutes(text: string): Int32Array {
  // Each number except the last takes at least two characters, a digit and a comma.
  const minutes = new Int32Array((text.length + 1) >> 1);
  let count = 0;
  let value = 0;
  let sign = 1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : COMMA;
    if (code === COMMA) {
      minutes[count] = sign * value;
      count += 1;
      value = 0;
      sign = 1;
    } else if (code === MINUS) sign = -1;
    else value = value * 10 + code - ZERO;
  }
  return minutes.subarray(0, count);
}

/**
 * Returns whether a string is an origin in exactly the form in which browsers send it in the Origin header. Another
 * form would never match, because the server compares the header with the allowed origins as strings (contract B2).
 * Also runs in the browser.
 */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/]{1,255}$/.test(text) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  // `URL` accepts host names with empty labels, such as `a..b`, so these are refused here.
  return origin === text && !/^\.|\.\./.test(hostname);
}

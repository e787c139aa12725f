/**
 * Returns whether a string is an origin in exactly the form that browsers send in the Origin header. An origin in any
 * other form would never equal the header of a request (contract B2). The policy editor also calls this function in the
 * browser.
 */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/]{1,255}$/.test(text) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  // `URL` accepts host names with empty labels, such as `a..b`. They are invalid and therefore rejected here.
  return origin === text && !/^\.|\.\./.test(hostname);
}

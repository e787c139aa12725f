/** Returns whether browsers send exactly this origin, because strings are compared (B2). Also runs in the browser. */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/]{1,255}$/.test(text) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  // `URL` accepts host names with empty labels, such as `a..b`.
  return origin === text && !/^\.|\.\./.test(hostname);
}

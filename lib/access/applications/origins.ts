/**
 * Tells whether a text is an origin in exactly the form in which browsers and servers send it; anything else would
 * never match a request (contract B2). Runs in the browser too: the policy editor checks as one types.
 */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/]{1,255}$/.test(text) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  // A name with an empty part is none: no browser ever had a page from there.
  return origin === text && !/^\.|\.\./.test(hostname);
}

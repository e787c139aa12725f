/**
 * Returns whether a text is an origin in the serialized form that browsers send; another form would never match a
 * request (contract B2). Also used in the browser by the policy editor.
 */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^/]{1,255}$/.test(text) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  // Host names with empty labels are invalid.
  return origin === text && !/^\.|\.\./.test(hostname);
}

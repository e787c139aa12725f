// This pattern is looser than the database's check on the audit log. It also matches keys with a missing character or
// with letters in another case.
const SECRET = /(pbk_(test|live)_|whsec_)[0-9a-z+/]{16}/i;

/** Returns whether a text contains an API key or a signing secret (contract B10). Also used in the browser. */
export function containsSecret(text: string): boolean {
  return SECRET.test(text);
}

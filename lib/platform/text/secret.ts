// Like the CHECK constraint `audit_log_no_secret`, but case-insensitive, and for incomplete keys too.
const SECRET = /(pbk_(test|live)_|whsec_)[0-9a-z+/]{16}/i;

/** Returns whether a string contains an API key or a signing secret (contract B10). Also runs in the browser. */
export function containsSecret(text: string): boolean {
  return SECRET.test(text);
}

// What the database refuses in the audit log, and a little more: people lose a letter or change the case in pasting.
const SECRET = /(pbk_(test|live)_|whsec_)[0-9a-z+/]{16}/i;

/** Tells whether a text holds an API key or a signing secret (contract B10). Runs in the browser too. */
export function holdsSecret(text: string): boolean {
  return SECRET.test(text);
}

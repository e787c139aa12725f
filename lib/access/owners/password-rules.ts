import { PASSWORD_LENGTH } from './password-length';

/** Names of this service are easy to guess. */
const SERVICE = ['Partner Booking', 'Control Center'];
/** Minimum length of a string that a password repeats. */
const MIN_UNIT = 6;
const MIN_DIFFERENT = 5;
/** A shorter core is refused only if it equals a name, because short strings occur in many names by chance. */
const MIN_PART = 5;

/** Loads tens of thousands of passwords, only when one is set. To search them takes less time than to make a set of them. */
async function commonPasswords(): Promise<readonly (string | number)[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'];
}

/**
 * Returns why a new password is refused, as the rest of a sentence after “The password”, or null (NIST SP 800-63B-4,
 * 3.1.1.2). There are no composition rules, such as a required digit. `own`: address, name, and business.
 */
export async function passwordProblem(password: string, own: readonly string[]): Promise<string | null> {
  const { length } = [...password];
  const { min, max } = PASSWORD_LENGTH;
  if (length < min || length > max) return `must have ${min} to ${max} characters`;
  const lower = password.toLowerCase();
  const unit = repeatedUnit(lower);
  if (unit.length < MIN_UNIT || new Set(lower).size < MIN_DIFFERENT) return 'must not repeat the same few characters';
  const core = coreOf(lower);
  if ([...own.flatMap(namesOf), ...SERVICE].some((name) => contains(coreOf(name.toLowerCase()), core)))
    return 'must not be your name, your email address, or the name of the business';
  const common = await commonPasswords();
  if ([lower, unit, core].some((part) => common.includes(part))) return 'is too common';
  if (isSequence(lower)) return 'must not be a sequence of letters or digits';
  return null;
}

/** With the parts of an email address before and after the `@`. Without strings that have no letters. */
function namesOf(text: string): string[] {
  return [text, ...text.split('@')].filter((name) => coreOf(name.toLowerCase()) !== '');
}

function contains(name: string, core: string): boolean {
  return name === core || (core.length >= MIN_PART && name.includes(core));
}

/** As in `112233` or `cba`. */
function isSequence(text: string): boolean {
  const steps = [...text].slice(1).map((character, at) => Math.abs(character.charCodeAt(0) - text.charCodeAt(at)));
  // In a password of digits only, 9 and 0 count as neighbors, as in `7890`.
  return steps.every((step) => step <= 1 || (step === 9 && /^\d+$/.test(text)));
}

/** `1234567890` for `123456789012345`: the last repetition can be incomplete. Not more than two thirds of `text`. */
function repeatedUnit(text: string): string {
  for (let period = 1; period <= (text.length * 2) / 3; period += 1)
    if (text.startsWith(text.slice(period))) return text.slice(0, period);
  return text;
}

/** Without digits at the ends and without repetition: `salon-1 2026!` and `salon salon` become `salon`. */
function coreOf(lower: string): string {
  const letters = lower.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
  return repeatedUnit(/\p{L}(?:.*\p{L})?/u.exec(letters)?.[0] ?? '');
}

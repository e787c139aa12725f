import { PASSWORD_LENGTH } from './password-length';

/** The names of this service. A password that consists of one of these names would be easy to guess. */
const SERVICE = ['Partner Booking', 'Control Center'];
/** A password is refused if it only repeats a string that has fewer characters than this. */
const MIN_UNIT = 6;
/** Minimum number of different characters in a password. */
const MIN_DIFFERENT = 5;
/**
 * A password whose core (see `coreOf`) is only a part of a name is refused if the core has at least this many
 * characters. Shorter parts of names occur in too many good passwords.
 */
const MIN_PART = 5;

/**
 * Returns the list of common passwords. The list contains tens of thousands of passwords, so it is loaded only when a
 * password is set.
 */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/**
 * Returns the reason why a new password is refused, or null if it is accepted (NIST SP 800-63B-4, 3.1.1.2). The reason
 * completes a sentence that begins with “The password”. There are no composition rules, such as a required digit.
 * @param own the person's email address and name, and the name of the business.
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
  if ([lower, unit, core].some((part) => common.has(part))) return 'is too common';
  if (isSequence(lower)) return 'must not be a sequence of letters or digits';
  return null;
}

/**
 * Returns the text and, if it is an email address, also the parts before and after the `@`. Omits strings that contain
 * no letters.
 */
function namesOf(text: string): string[] {
  return [text, ...text.split('@')].filter((name) => coreOf(name.toLowerCase()) !== '');
}

/** Returns whether `core` is the whole name or a long enough part of it, such as `baker` in `Baker & Sons`. */
function contains(name: string, core: string): boolean {
  return name === core || (core.length >= MIN_PART && name.includes(core));
}

/**
 * Returns whether each character is the same as the previous character or its neighbor in the alphabet or the digits,
 * as in `112233` or `cba`.
 */
function isSequence(text: string): boolean {
  const steps = [...text].slice(1).map((character, at) => Math.abs(character.charCodeAt(0) - text.charCodeAt(at)));
  // In a sequence of digits, 9 and 0 also count as neighbors.
  return steps.every((step) => step <= 1 || (step === 9 && /^\d+$/.test(text)));
}

/**
 * Returns the shortest string whose repetition results in `text`. The last repetition may be incomplete:
 * `123456789012345` repeats `1234567890`. Returns `text` if there is no such string, or if the string is longer than
 * two thirds of `text`.
 */
function repeatedUnit(text: string): string {
  for (let period = 1; period <= (text.length * 2) / 3; period += 1)
    if (text.startsWith(text.slice(period))) return text.slice(0, period);
  return text;
}

/**
 * Removes from a lowercase string all characters except letters and digits, then the digits at both ends, and then
 * repetition (see `repeatedUnit`). Returns the rest. For example, `salon-1 2026!` becomes `salon`.
 */
function coreOf(lower: string): string {
  const letters = lower.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
  return repeatedUnit(letters.replaceAll(/^\p{N}+|\p{N}+$/gu, ''));
}

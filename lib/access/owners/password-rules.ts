import { PASSWORD_LENGTH } from './password-length';

/** Words that anyone would guess for this service. */
const SERVICE = ['Partner Booking', 'Control Center'];
/** A password that repeats fewer characters than this is refused. */
const MIN_UNIT = 6;

/** Loads the list only when a password is set: it contains tens of thousands of passwords. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/**
 * Returns why a new password is not accepted, as the continuation of “The password …”, or null (NIST SP 800-63B-4,
 * 3.1.1.2). There are no rules about the kinds of characters.
 * @param own the person's email address and name, and the name of the business.
 */
export async function passwordProblem(password: string, own: readonly string[]): Promise<string | null> {
  const { length } = [...password];
  const { min, max } = PASSWORD_LENGTH;
  if (length < min || length > max) return `must have ${min} to ${max} characters`;
  const lower = password.toLowerCase();
  const unit = repeatedUnit(lower);
  if (unit.length < MIN_UNIT) return 'must not repeat a few characters';
  const core = coreOf(lower);
  if ([...own.flatMap(namesOf), ...SERVICE].some((name) => coreOf(name.toLowerCase()) === core))
    return 'must not be a name or an email address of yours or of the business';
  const common = await commonPasswords();
  if ([lower, unit, core].some((part) => common.has(part))) return 'is too common';
  return null;
}

/** Returns an email address with its two parts, or a name. */
function namesOf(text: string): string[] {
  return [text, ...text.split('@')].filter((name) => coreOf(name.toLowerCase()) !== '');
}

/**
 * Returns the shortest text whose repetition is `text`; `text` itself if it repeats nothing. The last repetition may be
 * cut off: `123456789012345` repeats `1234567890`.
 */
function repeatedUnit(text: string): string {
  for (let period = 1; period <= (text.length * 2) / 3; period += 1)
    if (text.startsWith(text.slice(period))) return text.slice(0, period);
  return text;
}

/**
 * Returns the letters and digits of a text without repetition and without digits at both ends: `Salon-1 2026!`
 * becomes `salon`.
 */
function coreOf(lower: string): string {
  const letters = lower.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
  return repeatedUnit(letters.replaceAll(/^\p{N}+|\p{N}+$/gu, ''));
}

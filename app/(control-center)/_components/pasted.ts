/** What somebody typed or pasted into a search box. */
export type Pasted =
  | { kind: 'request'; id: string }
  | { kind: 'reference'; reference: string }
  | { kind: 'refused'; why: string }
  | { kind: 'nothing' };

const REQUEST_ID = /\breq_[0-7][0-9a-hjkmnp-tv-z]{25}\b/i;
const BOOKING = /\bpbr_[0-9a-hjkmnp-tv-z]{26}\b/i;

/** What mails and chats put around a text and into long words, and nobody sees. */
const UNSEEN = /\p{Cf}/gu;
const UNSEEN_ENDS = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

/** One pair of quotes around the whole, as it stands in JSON or in a shell; a quote at one end is somebody's own. */
const QUOTED = /^(["'`])(.*)\1[,;]?$/;

/** Why a text must not be searched for: it is a credential. Null when it is none. It goes nowhere, not even into the address. */
export function secretProblem(text: string): string | null {
  const joined = text.replaceAll(/[\s\p{Cf}]/gu, '');
  return /pbk_(test|live)_|whsec_/i.test(joined)
    ? 'That is a secret. It was not sent anywhere; search by the name of the key or its application instead.'
    : null;
}

/**
 * Returns what a pasted text asks for. A request id or booking reference is found in the middle of a header or an
 * answer too, in capitals, and where a line broke it. Secrets and contacts are refused before they reach the address
 * bar or the server.
 */
export function readPasted(text: string): Pasted {
  // A line may break an id, or stand between two words.
  const seen = text.replaceAll(UNSEEN, '');
  const joined = seen.replaceAll(/\s*[\r\n]\s*/g, '');
  const found = (what: RegExp) => (what.exec(seen) ?? what.exec(joined))?.[0].toLowerCase();
  const line = text.replaceAll(UNSEEN_ENDS, '').replaceAll(/\s*\p{Cc}\s*/gu, ' ');
  const trimmed = QUOTED.exec(line)?.[2]?.trim() ?? line;
  if (trimmed === '') return { kind: 'nothing' };
  const id = found(REQUEST_ID);
  if (id) return { kind: 'request', id };
  const why = secretProblem(text);
  if (why) return { kind: 'refused', why };
  const reference = found(BOOKING);
  if (reference) return { kind: 'reference', reference };
  if (/^\S+@\S+\.\S+$/.test(trimmed) || /^\+[\d\s().-]{7,}$/.test(trimmed)) {
    return { kind: 'refused', why: 'Nothing is found by a contact: search by a reference instead.' };
  }
  if (trimmed.length > 128) return { kind: 'refused', why: 'A reference has at most 128 characters.' };
  return { kind: 'reference', reference: trimmed };
}

/** What somebody typed or pasted into the one box. */
export type Pasted =
  | { kind: 'request'; id: string }
  | { kind: 'reference'; reference: string }
  | { kind: 'refused'; why: string }
  | { kind: 'nothing' };

const REQUEST_ID = /\breq_[0-7][0-9a-hjkmnp-tv-z]{25}\b/;
const BOOKING = /\bpbr_[0-9a-hjkmnp-tv-z]{26}\b/;

/**
 * Returns what a pasted text asks for. A request id or booking reference is found in the middle of a header or an
 * answer too. Secrets and contacts are refused before they reach the address bar or the server.
 */
export function readPasted(text: string): Pasted {
  const trimmed = text.trim().replaceAll(/^["'`]+|["'`,;]+$/g, '');
  if (trimmed === '') return { kind: 'nothing' };
  const id = REQUEST_ID.exec(trimmed)?.[0];
  if (id) return { kind: 'request', id };
  if (/pbk_(test|live)_|whsec_/.test(trimmed)) {
    return {
      kind: 'refused',
      why: 'That is a secret. It was not sent anywhere; search by the key’s name below instead.',
    };
  }
  const reference = BOOKING.exec(trimmed)?.[0];
  if (reference) return { kind: 'reference', reference };
  if (/^\S+@\S+\.\S+$/.test(trimmed) || /^\+[\d\s().-]{7,}$/.test(trimmed)) {
    return { kind: 'refused', why: 'Requests are never found by a contact: the log holds none.' };
  }
  if (trimmed.length > 128) return { kind: 'refused', why: 'A reference has at most 128 characters.' };
  return { kind: 'reference', reference: trimmed };
}

import { plural } from '../../../_components/format';
import type { Erasure } from './types';

/** What an erasure removes, with the number of each: singular and plural. */
const REMOVED: Record<keyof Erasure['counts'], readonly [string, string] | null> = {
  contacts: ['contact (name and phone number)', 'contacts (name and phone number)'],
  emails: ['email address', 'email addresses'],
  languages: ['language', 'languages'],
  notes: ['note', 'notes'],
  metadata: ['set of metadata', 'sets of metadata'],
  phone_hashes: ['search hash of a phone number', 'search hashes of phone numbers'],
  name_hashes: ['search hash of a word of a name', 'search hashes of words of names'],
  stored_responses: ['stored response to a partner', 'stored responses to partners'],
  webhook_answers: ['answer of a partner’s server to a webhook', 'answers of partners’ servers to webhooks'],
  // Told, not removed.
  events: null,
};

/** Returns what an erasure has removed, one text per kind of data. Kinds that were not stored are left out. */
export function removedTexts(counts: Erasure['counts']): string[] {
  const kinds = Object.keys(REMOVED) as (keyof Erasure['counts'])[];
  return kinds.flatMap((kind) => {
    const words = REMOVED[kind];
    return words && counts[kind] > 0 ? [plural(counts[kind], ...words)] : [];
  });
}

/** What the dialog says that an erasure removes. */
export const TO_REMOVE = [
  'Name, phone number, email address, and language',
  'Notes and metadata',
  'The hashes by which the bookings are found by phone number and name',
  'The contact in responses that are stored for repeated requests of partners',
  'The answers of partners’ servers to webhooks about these bookings',
] as const;

/** What stays, and why. */
export const KEPT = [
  'The appointment with its service, location, specialist, status, and price: for accounting. Law can require to keep it for years.',
  'The partner and its reference: partners name a booking by it, and it must not contain data of the customer.',
  'When consent was given and withdrawn: as proof.',
  'Events, request log, and audit log: they contain no contact. The request log is deleted after its retention period.',
] as const;

/** Where copies can be that this deployment cannot reach. */
export const ELSEWHERE = [
  'Calendar programs that read a calendar feed have no contact, because feeds contain none.',
  'Reasons of blocked time and notes of closures, if someone wrote a name into them. Change them in the catalog.',
  'Backups and exports that were made before, until they are deleted. After a restore, erase again.',
  'What the partner stores itself. The event booking.anonymized tells it.',
] as const;

/** Returns how the partner was told of the erasure. */
export function toldText({ bookings, webhooks, delivered }: Erasure['told'][number]): string {
  const told = plural(bookings, 'event');
  if (webhooks === 0) return `${told} in its event list. Its webhook endpoint does not receive booking.anonymized.`;
  return `${told} in its event list, ${delivered} of ${plural(webhooks, 'webhook')} delivered.`;
}

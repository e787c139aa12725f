import { z } from 'zod';
import { normalizeNational, phoneNumber } from '@/lib/contract/bookings';
import { boundedText } from '@/lib/contract/bounded-text';

export const count = z.int().min(0);

/** ISO 8601. */
export const outputTime = z.date().transform((date) => date.toISOString());

const UTC_TIME = 'must be a UTC timestamp';

/** A UTC timestamp in an input. */
export const inputTime = boundedText(40, UTC_TIME)
  .check(z.iso.datetime({ message: UTC_TIME }))
  .transform((text) => new Date(text));

const NATIONAL = 'must have 6 to 20 digits';

/** A phone number without a country code. */
export const nationalNumber = boundedText(40, NATIONAL).transform((text, context) => {
  const digits = normalizeNational(text);
  if (digits === null) context.addIssue({ code: 'custom', message: NATIONAL });
  return digits ?? z.NEVER;
});

/** `national` has no country code. */
export const searchedPhone = z
  .strictObject({ phone: phoneNumber.optional(), national: nationalNumber.optional() })
  .refine(({ phone, national }) => (phone === undefined) !== (national === undefined), {
    error: 'is required',
    path: ['phone'],
  });

/** The output of a change of which a page needs only the success. */
export const nothing = z.void();

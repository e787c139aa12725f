import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import type { KindName } from '../edit/kind';
import { list } from '../edit/lists';
import { MAX_RECORDS } from '../edit/records';
import { locationSchema, serviceSchema, specialistSchema } from '../edit/schemas';
import { must, perLanguages } from '../edit/texts';

export const FORMAT = 'partner-booking-catalog/1';

/** Of earlier releases. Imports still accept it. */
const EARLIER_FORMAT = 'partner-booking-catalogue/1';

/** In the order in which an import writes them. */
export const LISTS = [
  ['locations', 'location'],
  ['services', 'service'],
  ['specialists', 'specialist'],
] as const satisfies readonly (readonly [string, KindName])[];

export type ListName = (typeof LISTS)[number][0];

const ID = 'must be 1 to 64 letters, digits, dots, dashes, or underscores, and start with a letter or digit';
const id = boundedText(64, ID, must('text')).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, ID);

/** Returns the schema of a catalog document. */
export const documentSchema = perLanguages((languages) =>
  z.strictObject(
    {
      format: z
        .literal([FORMAT, EARLIER_FORMAT], { error: must(`"${FORMAT}"`) })
        .transform((): typeof FORMAT => FORMAT),
      locations: list(locationSchema(languages).extend({ id }), MAX_RECORDS).default([]),
      services: list(serviceSchema(languages).extend({ id }), MAX_RECORDS).default([]),
      specialists: list(specialistSchema(languages).extend({ id }), MAX_RECORDS).default([]),
    },
    { error: must('an object') },
  ),
);

export type CatalogDocument = z.output<ReturnType<typeof documentSchema>>;

import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId } from '@/lib/contract/common';
import { countryProblem } from '@/lib/contract/countries';
import { isCurrency } from '@/lib/contract/currencies';
import { canonicalZone } from '@/lib/platform/time-zones';
import { exceptions, timeOff, weeklyHours } from './hours';
import { list, unique } from './lists';
import { descriptionIn, must, nameIn, perLanguages, plainText, wholeNumber } from './texts';

/** Of PostgreSQL's type `integer`. */
const MAX_INTEGER = 2_147_483_647;
export const MAX_WORKPLACES = 100;
const DAY = 1_440;
const YEAR = 525_600;

const published = z.boolean({ error: must('true or false') }).default(false);

const CURRENCY = 'must be the ISO 4217 code of a current currency, such as EUR';

export const price = z.strictObject(
  {
    amount: wholeNumber(0, MAX_INTEGER),
    currency: boundedText(3, CURRENCY, must('text')).refine(isCurrency, CURRENCY),
  },
  { error: must('an amount and a currency') },
);

/** Returns the schema of a service. */
export const serviceSchema = perLanguages((languages) =>
  z.strictObject(
    {
      published,
      name: nameIn(languages),
      description: descriptionIn(languages).nullable().default(null),
      category: nameIn(languages).nullable().default(null),
      duration_minutes: wholeNumber(1, DAY),
      slot_interval_minutes: wholeNumber(1, DAY),
      buffer_before_minutes: wholeNumber(0, DAY).default(0),
      buffer_after_minutes: wholeNumber(0, DAY).default(0),
      capacity: wholeNumber(1, 10_000).default(1),
      price: price.nullable().default(null),
      min_lead_minutes: wholeNumber(0, YEAR).default(0),
      max_advance_days: wholeNumber(1, 1_825),
      cancellation_cutoff_minutes: wholeNumber(0, YEAR).default(0),
    },
    { error: must('an object') },
  ),
);

const MUST_BE_ZONE = 'must be an IANA time zone';

/** Any letter case and any IANA name, converted to the canonical one. */
export const timeZone = boundedText(64, MUST_BE_ZONE, must('text')).transform((name, { addIssue }) => {
  const canonical = canonicalZone(name);
  if (canonical === null) addIssue({ code: 'custom', message: MUST_BE_ZONE });
  return canonical ?? z.NEVER;
});

const country = boundedText(2, 'must be two capital letters (ISO 3166-1)', must('text')).superRefine(
  (code, context) => {
    const message = countryProblem(code);
    if (message !== null) context.addIssue({ code: 'custom', message });
  },
);

/** Returns the schema of a location. Hours are in the location's time zone. */
export const locationSchema = perLanguages((languages) =>
  z.strictObject(
    {
      published,
      name: nameIn(languages),
      address: z.strictObject(
        {
          line1: plainText(200),
          city: plainText(200),
          postal_code: plainText(20),
          country,
        },
        { error: must('an address') },
      ),
      time_zone: timeZone,
      phone: plainText(40).nullable().default(null),
      hours: weeklyHours.default([]),
      exceptions: exceptions.default([]),
    },
    { error: must('an object') },
  ),
);

const reference = recordId.max(64, 'must be an id');

const workplace = z.strictObject(
  {
    location_id: reference,
    service_ids: list(
      reference,
      1_000,
      unique((id) => id, [], 'is listed twice'),
    ).default([]),
    hours: weeklyHours.default([]),
    exceptions: exceptions.default([]),
  },
  { error: must('an object') },
);

/** Returns the schema of a specialist. Breaks and time off apply at every workplace, in its local time. */
export const specialistSchema = perLanguages((languages) =>
  z.strictObject(
    {
      published,
      display_name: plainText(200),
      title: nameIn(languages).nullable().default(null),
      description: descriptionIn(languages).nullable().default(null),
      image_url: plainText(2_048)
        .regex(/^https?:\/\/[^\s]+$/, 'must be an http or https URL')
        .nullable()
        .default(null),
      workplaces: list(
        workplace,
        MAX_WORKPLACES,
        unique((place) => place.location_id, ['location_id'], 'is listed twice'),
      ).default([]),
      breaks: weeklyHours.default([]),
      time_off: timeOff.default([]),
    },
    { error: must('an object') },
  ),
);

export type ServiceDoc = z.output<ReturnType<typeof serviceSchema>>;
export type LocationDoc = z.output<ReturnType<typeof locationSchema>>;
export type SpecialistDoc = z.output<ReturnType<typeof specialistSchema>>;

export type ServiceInput = Omit<z.input<ReturnType<typeof serviceSchema>>, 'published'>;
export type LocationInput = Omit<z.input<ReturnType<typeof locationSchema>>, 'published'>;
export type SpecialistInput = Omit<z.input<ReturnType<typeof specialistSchema>>, 'published'>;

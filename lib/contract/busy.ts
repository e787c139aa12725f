import { z } from 'zod';
import { boundedText } from './bounded-text';
import { EXAMPLE_IDS, idOf, issuedId, optional, requiredOr } from './common';
import { shaped } from './text';
import { instant } from './times';

const SHAPE = shaped('^[A-Za-z0-9_.~-]+$', 100, 1);

/** The id of a busy time in the system that pushes it, as part of a path (contract B15). */
export const busyExternalId = boundedText(100)
  .regex(/^[A-Za-z0-9_.~-]{1,100}$/)
  .meta({
    ...SHAPE,
    description: 'Your own id of the busy time. It contains no customer data.',
    examples: ['till-4711'],
  });

const INSTANT = 'must be a timestamp with a UTC offset, such as 2026-09-14T09:30:00+02:00';

const givenInstant = boundedText(40, INSTANT, requiredOr(INSTANT)).check(
  z.iso.datetime({ offset: true, message: INSTANT }),
);

/** Body of `PUT /busy/{external_id}` (contract B15). */
export const busyBody = z.strictObject({
  location_id: idOf('location', 'The location at which the time is busy.'),
  specialist_id: optional(
    idOf('specialist', 'The specialist who is busy, at all locations. Without one, the whole location is busy.'),
  ),
  starts_at: givenInstant.meta({
    description: 'Start, inclusive. Seconds are dropped.',
    examples: ['2026-09-14T09:30:00+02:00'],
  }),
  ends_at: givenInstant.meta({
    description: 'End, exclusive, at most 31 days after the start and two years ahead. Seconds count as a minute.',
    examples: ['2026-09-14T10:15:00+02:00'],
  }),
  expected_version: optional(
    z
      .int({ error: 'must be a whole number from 1 to 2147483647' })
      .min(1, 'must be a whole number from 1 to 2147483647')
      .max(2_147_483_647, 'must be a whole number from 1 to 2147483647')
      .meta({ description: 'The version that you changed. By default, the last write counts.', examples: [1] }),
  ),
});

const issuedExternalId = z
  .string()
  .meta({ ...SHAPE, description: 'Your own id of the busy time.', examples: ['till-4711'] });

/** A busy time that was pushed. */
export const busyTime = z.strictObject({
  external_id: issuedExternalId,
  version: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ description: 'Begins with 1, and grows by 1 with each change.', examples: [1] }),
  location_id: issuedId('location'),
  specialist_id: issuedId('specialist')
    .nullable()
    .meta({ description: 'Null if the whole location is busy.', examples: [EXAMPLE_IDS.specialist] }),
  starts_at: instant.meta({ description: 'UTC timestamp.', examples: ['2026-09-14T07:30:00.000Z'] }),
  ends_at: instant.meta({ description: 'UTC timestamp.', examples: ['2026-09-14T08:15:00.000Z'] }),
});

/** Data of `PUT /busy/{external_id}`. */
export const busyData = z.strictObject({
  busy: busyTime,
  conflicts: z
    .int()
    .min(0)
    .max(100)
    .meta({
      description: 'The number of confirmed bookings at this time, at most 100. They stay as they are.',
      examples: [0],
    }),
});

/** Data of `DELETE /busy/{external_id}`. */
export const removedBusyData = z.strictObject({
  external_id: issuedExternalId,
  existed: z
    .boolean()
    .meta({ description: 'False if there was no such busy time, such as on a retry.', examples: [true] }),
});

import { z } from 'zod';
import { boundedText } from './bounded-text';
import { calendarDate, clockTime, idOf, optional, requiredOr } from './common';
import { instant } from './times';

/** The most by which an application's clock can be ahead of real time, in seconds (contract B20). */
export const MAX_CLOCK_OFFSET = 365 * 86_400;

/** The clock cannot reach this time (contract B20). */
export const CLOCK_END = Date.UTC(2100, 0, 1);

const SECONDS = `must be a whole number from 0 to ${MAX_CLOCK_OFFSET}`;
const TIMESTAMP = 'must be a timestamp with a UTC offset, such as 2026-09-14T09:30:00Z';
const ONE_OF = 'is required, unless to or real_time is sent. Only one of the three is allowed';

/** Body of `POST /test/clock` (contract B20): exactly one of the fields. */
export const clockBody = z
  .strictObject({
    advance_seconds: optional(
      z
        .int({ error: SECONDS })
        .min(0, SECONDS)
        .max(MAX_CLOCK_OFFSET, SECONDS)
        .meta({ description: 'Advances the clock by this time. 0 only returns the clock.', examples: [86_400] }),
    ),
    to: optional(
      boundedText(40, TIMESTAMP)
        .check(z.iso.datetime({ offset: true, message: TIMESTAMP }))
        .meta({ description: 'Advances the clock to this time.', examples: ['2026-09-14T09:30:00+02:00'] }),
    ),
    real_time: optional(
      z.literal(true, { error: 'must be true' }).meta({ description: 'Sets the clock back to real time.' }),
    ),
  })
  .superRefine((body, context) => {
    const stated = [body.advance_seconds, body.to, body.real_time].filter((value) => value !== undefined);
    if (stated.length !== 1) context.addIssue({ code: 'custom', path: ['advance_seconds'], message: ONE_OF });
  });

/** The clock of an application in TEST. */
export const clock = z.strictObject({
  now: instant.meta({
    description: 'The time of the clock of your application.',
    examples: ['2026-09-02T08:00:00.000Z'],
  }),
  real_time: instant.meta({ description: 'Real time.', examples: ['2026-09-01T08:00:00.000Z'] }),
  offset_seconds: z
    .int()
    .min(0)
    .max(MAX_CLOCK_OFFSET)
    .meta({ description: 'By how much the clock is ahead of real time. 0 is real time.', examples: [86_400] }),
});

/** Data of `POST /test/clock`. */
export const clockData = z.strictObject({ clock });

const ACTION = 'must be cancel, reschedule, complete, no_show, or reopen';
const ONLY_MOVES = 'is allowed only with the action reschedule';

/** Body of `POST /test/owner-actions` (contract B20). */
export const ownerActionBody = z
  .strictObject({
    reference: idOf('booking', 'One of your bookings.'),
    action: z
      .enum(['cancel', 'reschedule', 'complete', 'no_show', 'reopen'], { error: requiredOr(ACTION) })
      .meta({ description: 'What the owner does.', examples: ['complete'] }),
    date: optional(calendarDate),
    start_time: optional(clockTime),
    specialist_id: optional(
      idOf('specialist', 'Only with `reschedule`. By default, the current specialist if available, otherwise another.'),
    ),
  })
  .superRefine((body, context) => {
    const isMove = body.action === 'reschedule';
    for (const name of ['date', 'start_time', 'specialist_id'] as const) {
      const isStated = body[name] !== undefined;
      if (isStated && !isMove) context.addIssue({ code: 'custom', path: [name], message: ONLY_MOVES });
      if (!isStated && isMove && name !== 'specialist_id')
        context.addIssue({ code: 'custom', path: [name], message: 'is required' });
    }
  });

import { z } from 'zod';
import {
  addCalendar,
  listCalendars,
  refreshCalendar,
  removeCalendar,
  restoreCalendar,
  updateCalendar,
  uploadCalendar,
} from '@/lib/booking/calendars/calendars';
import { plainText } from '@/lib/booking/catalog/edit/texts';
import { unpack } from '@/lib/booking/catalog/transfer/json';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId } from '@/lib/contract/common';
import { systemSender } from '@/lib/webhooks/send';
import { everyMemberProcedure, ownerProcedure, router } from '../init';
import { count, nothing, outputTime } from '../inputs';

const subject = z
  .strictObject({ specialist_id: recordId.nullable(), location_id: recordId.nullable() })
  .refine(({ specialist_id, location_id }) => (specialist_id === null) !== (location_id === null), {
    message: 'must be given if no specialist is given, and only then',
    path: ['location_id'],
  });

const idsOf = ({ specialist_id, location_id }: z.output<typeof subject>) => ({
  specialistId: specialist_id,
  locationId: location_id,
});

const choices = z.strictObject({ name: plainText(100), show_titles: z.boolean(), block_when_stale: z.boolean() });

const calendarId = z.strictObject({ calendar_id: recordId });

const added = z.strictObject({
  id: z.string(),
  busy_times: count,
  unread_entries: count,
  read_until: z.string(),
  first: z.array(z.strictObject({ from: z.string(), to: z.string() })),
});

/** Characters of a packed file. The body of a call has at most 4 MiB. */
const MAX_PACKED = 4 * 1024 * 1024;

/**
 * Calendars that other programs keep, and whose busy times nobody can book. All members see which there are, without
 * their URLs. Only owners change them.
 */
export const calendarsRouter = router({
  list: everyMemberProcedure
    .input(subject)
    .output(
      z.array(
        z.strictObject({
          id: z.string(),
          ...choices.shape,
          name: z.string(),
          /** Null for an uploaded file. */
          host: z.string().nullable(),
          /** Why the last attempt failed. Null after a success. */
          problem: z.string().nullable(),
          busy_times: count,
          unread_entries: count,
          read_until: z.string().nullable(),
          last_success_at: outputTime.nullable(),
          last_attempt_at: outputTime.nullable(),
        }),
      ),
    )
    .query(({ ctx: { member }, input }) => listCalendars(member.tenantId, idsOf(input))),

  add: ownerProcedure
    .input(z.strictObject({ subject, url: boundedText(2_048), ...choices.shape }))
    .output(added)
    .mutation(({ ctx: { by, now }, input: { subject: of, url, ...chosen } }) =>
      addCalendar(now, by, { subject: idsOf(of), url, choices: chosen, sender: systemSender() }),
    ),

  upload: ownerProcedure
    .input(z.strictObject({ subject, packed: boundedText(MAX_PACKED), ...choices.shape }))
    .output(added)
    .mutation(async ({ ctx: { by, now }, input: { subject: of, packed, ...chosen } }) =>
      uploadCalendar(now, by, { subject: idsOf(of), text: await unpack(packed), choices: chosen }),
    ),

  update: ownerProcedure
    .input(z.strictObject({ ...calendarId.shape, ...choices.shape }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { calendar_id, ...chosen } }) =>
      updateCalendar(now, by, calendar_id, chosen),
    ),

  refresh: ownerProcedure
    .input(calendarId)
    .output(calendarId)
    .mutation(async ({ ctx: { by, now }, input }) => {
      await refreshCalendar(now, by.tenantId, input.calendar_id, { sender: systemSender(), random: Math.random });
      return input;
    }),

  remove: ownerProcedure
    .input(calendarId)
    .output(calendarId)
    .mutation(async ({ ctx: { by, now }, input }) => {
      await removeCalendar(now, by, input.calendar_id);
      return input;
    }),

  restore: ownerProcedure
    .input(calendarId)
    .output(calendarId)
    .mutation(async ({ ctx: { by, now }, input }) => {
      await restoreCalendar(now, by, input.calendar_id);
      return input;
    }),
});

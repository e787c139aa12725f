import { z } from 'zod';
import { readNamesShown, setNamesShown } from '@/lib/booking/bookings/customer-names';
import { BOUNDS, changeRetention, contactsOlderThan, readRetention } from '@/lib/operations/retention/settings';
import { ownerProcedure, router, sensitiveProcedure } from '../init';
import { customerRouter } from './customer';

const days = ({ min, max }: { min: number; max: number }) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
};

const retention = z.strictObject({
  request_log_days: days(BOUNDS.request_log_days),
  /** For how many days after the appointment a contact is kept. Null means forever. */
  contact_days: days(BOUNDS.contact_days).nullable(),
  delivery_days: days(BOUNDS.delivery_days),
  /** For how many days after the appointment a booking's events are kept. Null means forever. */
  history_days: days(BOUNDS.history_days).nullable(),
});

const namesShown = z.strictObject({ shown: z.boolean() });

export const privacyRouter = router({
  customer: customerRouter,

  names: ownerProcedure
    .output(namesShown)
    .query(async ({ ctx: { member } }) => ({ shown: await readNamesShown(member.tenantId) })),

  set_names: sensitiveProcedure
    .input(namesShown)
    .output(namesShown)
    .mutation(async ({ ctx: { by, now }, input }) => {
      await setNamesShown(now, by, input.shown);
      return input;
    }),

  get: ownerProcedure.output(retention).query(({ ctx: { member } }) => readRetention(member.tenantId)),

  preview: ownerProcedure
    .input(z.strictObject({ contact_days: days(BOUNDS.contact_days) }))
    // 10,001 means "more than 10,000".
    .output(z.strictObject({ contacts: z.int() }))
    .query(async ({ ctx: { member, now }, input }) => ({
      contacts: await contactsOlderThan(now, member.tenantId, input.contact_days),
    })),

  // A shorter retention deletes data for good.
  update: sensitiveProcedure
    .input(retention)
    .output(retention)
    .mutation(async ({ ctx: { by, now }, input }) => {
      await changeRetention(now, by, input);
      return input;
    }),
});

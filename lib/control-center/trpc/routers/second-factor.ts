import { z } from 'zod';
import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';
import { newRecoveryCodes } from '@/lib/access/owners/recovery-codes';
import { secondFactorsOf } from '@/lib/access/owners/second-factor';
import { confirmTotp, removeTotp, startTotp } from '@/lib/access/owners/totp';
import { memberProcedure, router } from '../init';
import { outputTime } from '../inputs';

/** The password of the member, which every change but a confirmation requires again. */
const withPassword = z.strictObject({
  password: z.string().min(1, 'is required').max(PASSWORD_LENGTH.max, 'is too long'),
});

/** The codes in plain text; no other response ever contains them. */
const codes = z.array(z.string());

/** The second factors of the signed-in member. Members of all roles may have them. */
export const secondFactorRouter = router({
  get: memberProcedure
    .output(z.strictObject({ totp_since: outputTime.nullable(), recovery_codes: z.number() }))
    .query(({ ctx: { member } }) => secondFactorsOf(member.userId)),

  start_totp: memberProcedure
    .input(withPassword)
    .output(z.strictObject({ secret: z.string(), uri: z.string() }))
    .mutation(({ ctx: { member, address, now }, input }) => startTotp(now, { member, address, ...input })),

  confirm_totp: memberProcedure
    .input(z.strictObject({ code: z.string().max(20) }))
    .output(z.strictObject({ recovery_codes: codes.nullable() }))
    .mutation(async ({ ctx: { member, address, now }, input }) => ({
      recovery_codes: await confirmTotp(now, { member, address, ...input }),
    })),

  remove_totp: memberProcedure
    .input(withPassword)
    .output(z.strictObject({ removed: z.literal(true) }))
    .mutation(async ({ ctx: { member, address, now }, input }) => {
      await removeTotp(now, { member, address, ...input });
      return { removed: true };
    }),

  new_codes: memberProcedure
    .input(withPassword)
    .output(z.strictObject({ recovery_codes: codes }))
    .mutation(async ({ ctx: { member, address, now }, input }) => ({
      recovery_codes: await newRecoveryCodes(now, { member, address, ...input }),
    })),
});

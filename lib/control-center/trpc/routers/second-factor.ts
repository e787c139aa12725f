import { z } from 'zod';
import { passkeyDomain } from '@/lib/access/owners/passkey-origin';
import { addPasskey, removePasskey, startPasskey } from '@/lib/access/owners/passkeys';
import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';
import { newRecoveryCodes } from '@/lib/access/owners/recovery-codes';
import { secondFactorsOf } from '@/lib/access/owners/second-factor';
import { confirmTotp, removeTotp, startTotp } from '@/lib/access/owners/totp';
import { recordId } from '@/lib/contract/common';
import { displayNameSchema } from '@/lib/platform/text/display-name';
import { accountProcedure, router } from '../init';
import { outputTime } from '../inputs';

/**
 * The member's password. A signed-in member must enter it again to change second factors. `confirm_totp` and
 * `add_passkey` do not require it, because `start_totp` and `start_passkey` have already checked it.
 */
const withPassword = z.strictObject({
  password: z.string().min(1, 'is required').max(PASSWORD_LENGTH.max, 'is too long'),
});

/** The recovery codes in plaintext, which no other response contains. */
const codes = z.array(z.string());

const passkey = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_at: outputTime,
  last_used_at: outputTime.nullable(),
});

const base64url = z.string().max(20_000);

/** The browser's response to the options that `start_passkey` returned. */
const newPasskey = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
      .max(10)
      .optional(),
  }),
  clientExtensionResults: z.object({}),
});

/** The second factors of the signed-in member. */
export const secondFactorRouter = router({
  get: accountProcedure
    .output(
      z.strictObject({
        totp_since: outputTime.nullable(),
        passkeys: z.array(passkey),
        recovery_codes: z.number(),
        passkeys_possible: z.boolean(),
      }),
    )
    .query(async ({ ctx: { member } }) => ({
      ...(await secondFactorsOf(member.userId)),
      passkeys_possible: passkeyDomain() !== null,
    })),

  start_totp: accountProcedure
    .input(withPassword)
    .output(z.strictObject({ secret: z.string(), uri: z.string() }))
    .mutation(({ ctx: { member, address, now }, input }) => startTotp(now, { member, address, ...input })),

  confirm_totp: accountProcedure
    .input(z.strictObject({ code: z.string().max(20) }))
    .output(z.strictObject({ recovery_codes: codes.nullable() }))
    .mutation(async ({ ctx: { member, address, now }, input }) => ({
      recovery_codes: await confirmTotp(now, { member, address, ...input }),
    })),

  remove_totp: accountProcedure
    .input(withPassword)
    .output(z.strictObject({ removed: z.literal(true) }))
    .mutation(async ({ ctx: { member, address, now }, input }) => {
      await removeTotp(now, { member, address, ...input });
      return { removed: true };
    }),

  start_passkey: accountProcedure
    .input(withPassword)
    // Options for the browser, in the format of WebAuthn.
    .output(z.custom<Awaited<ReturnType<typeof startPasskey>>>())
    .mutation(({ ctx: { member, address, now }, input }) => startPasskey(now, { member, address, ...input })),

  add_passkey: accountProcedure
    .input(z.strictObject({ name: displayNameSchema(100), response: newPasskey }))
    .output(z.strictObject({ recovery_codes: codes.nullable() }))
    .mutation(async ({ ctx: { member, now }, input }) => ({
      recovery_codes: await addPasskey(now, { member, ...input }),
    })),

  remove_passkey: accountProcedure
    .input(withPassword.extend({ passkey_id: recordId }))
    .output(z.strictObject({ removed: z.literal(true) }))
    .mutation(async ({ ctx: { member, address, now }, input: { passkey_id, password } }) => {
      await removePasskey(now, passkey_id, { member, address, password });
      return { removed: true };
    }),

  new_codes: accountProcedure
    .input(withPassword)
    .output(z.strictObject({ recovery_codes: codes }))
    .mutation(async ({ ctx: { member, address, now }, input }) => ({
      recovery_codes: await newRecoveryCodes(now, { member, address, ...input }),
    })),
});

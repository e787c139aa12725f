import { z } from 'zod';
import { passkeyDomain } from '@/lib/access/owners/passkey-origin';
import { addPasskey, removePasskey, startPasskey } from '@/lib/access/owners/passkeys';
import { hasPassword, proofMethods, requireProof } from '@/lib/access/owners/proof';
import { newRecoveryCodes } from '@/lib/access/owners/recovery-codes';
import { secondFactorsOf } from '@/lib/access/owners/second-factor';
import { confirmTotp, removeTotp, startTotp } from '@/lib/access/owners/totp';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId } from '@/lib/contract/common';
import { oidcSettings } from '@/lib/platform/env';
import { displayNameSchema } from '@/lib/platform/text/display-name';
import { accountProcedure, router } from '../init';
import { nothing, outputTime } from '../inputs';
import { proofInput, proofOf } from './proof-input';

/** The recovery codes in plaintext, which no other response contains. */
const codes = z.array(z.string());

const passkey = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_at: outputTime,
  last_used_at: outputTime.nullable(),
});

const base64url = boundedText(20_000);

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

/**
 * The second factors of the signed-in member. Every change requires a proof of the present factors. `confirm_totp` and
 * `add_passkey` do not, because they need what `start_totp` and `start_passkey` returned after the proof.
 */
export const secondFactorRouter = router({
  get: accountProcedure
    .output(
      z.strictObject({
        totp_since: outputTime.nullable(),
        passkeys: z.array(passkey),
        recovery_codes: z.number(),
        passkeys_possible: z.boolean(),
        has_password: z.boolean(),
        /** The name of the OpenID provider, with which a person without a password proves who they are. */
        provider: z.string().nullable(),
      }),
    )
    .query(async ({ ctx: { member } }) => ({
      ...(await secondFactorsOf(member.userId)),
      passkeys_possible: passkeyDomain() !== null,
      has_password: await hasPassword(member.userId),
      provider: oidcSettings()?.name ?? null,
    })),

  /** With options for the browser, in the format of WebAuthn. */
  proof_methods: accountProcedure
    .output(z.custom<Awaited<ReturnType<typeof proofMethods>>>())
    .query(({ ctx: { member, now } }) => proofMethods(now, member)),

  start_totp: accountProcedure
    .input(proofInput)
    .output(z.strictObject({ secret: z.string(), uri: z.string() }))
    .mutation(async ({ ctx: { member, address, now }, input }) => {
      await requireProof(now, { member, address, proof: proofOf(input) });
      return startTotp(now, member);
    }),

  confirm_totp: accountProcedure
    .input(z.strictObject({ code: boundedText(20) }))
    .output(z.strictObject({ recovery_codes: codes.nullable() }))
    .mutation(async ({ ctx: { member, address, now }, input }) => ({
      recovery_codes: await confirmTotp(now, { member, address, ...input }),
    })),

  remove_totp: accountProcedure
    .input(proofInput)
    .output(nothing)
    .mutation(async ({ ctx: { member, address, now }, input }) => {
      await requireProof(now, { member, address, proof: proofOf(input) });
      await removeTotp(now, member);
    }),

  start_passkey: accountProcedure
    .input(proofInput)
    // Options for the browser, in the format of WebAuthn.
    .output(z.custom<Awaited<ReturnType<typeof startPasskey>>>())
    .mutation(async ({ ctx: { member, address, now }, input }) => {
      await requireProof(now, { member, address, proof: proofOf(input) });
      return startPasskey(now, member);
    }),

  add_passkey: accountProcedure
    .input(z.strictObject({ name: displayNameSchema(100), response: newPasskey }))
    .output(z.strictObject({ recovery_codes: codes.nullable() }))
    .mutation(async ({ ctx: { member, now }, input }) => ({
      recovery_codes: await addPasskey(now, { member, ...input }),
    })),

  remove_passkey: accountProcedure
    .input(proofInput.extend({ passkey_id: recordId }))
    .output(nothing)
    .mutation(async ({ ctx: { member, address, now }, input }) => {
      await requireProof(now, { member, address, proof: proofOf(input) });
      await removePasskey(now, member, input.passkey_id);
    }),

  new_codes: accountProcedure
    .input(proofInput)
    .output(z.strictObject({ recovery_codes: codes }))
    .mutation(async ({ ctx: { member, address, now }, input }) => {
      await requireProof(now, { member, address, proof: proofOf(input) });
      return { recovery_codes: await newRecoveryCodes(now, member) };
    }),
});

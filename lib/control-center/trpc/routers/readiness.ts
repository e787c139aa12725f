import { z } from 'zod';
import { acceptCertificate, readAccepted } from '@/lib/booking/readiness/accept';
import { certificateSigner, certify, trustedKeys } from '@/lib/booking/readiness/certificate';
import { readScore } from '@/lib/booking/readiness/score';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId } from '@/lib/contract/common';
import { MAX_CERTIFICATE, readiness } from '@/lib/contract/readiness';
import { env } from '@/lib/platform/env';
import { translateError } from '../../messages/errors';
import { languageOf, memberProcedure, ownerProcedure, router } from '../init';
import { outputTime } from '../inputs';

const one = z.strictObject({ application_id: recordId });

/** Room for spaces and line breaks around the text. */
const file = boundedText(MAX_CERTIFICATE + 100, `must have at most ${MAX_CERTIFICATE} characters`);

/** In TEST: the score with its certificate. In LIVE: the certificate that was added, and whether any can be checked. */
const state = z.discriminatedUnion('environment', [
  z.strictObject({ environment: z.literal('TEST'), readiness, certificate: z.string(), public_key: z.string() }),
  z.strictObject({
    environment: z.literal('LIVE'),
    can_check: z.boolean(),
    business: z.string(),
    accepted: z
      .strictObject({ added_at: outputTime, readiness: readiness.nullable(), problem: z.string().nullable() })
      .nullable(),
  }),
]);

/** Owners and support read, only owners add a certificate. */
export const readinessRouter = router({
  get: memberProcedure
    .input(one)
    .output(state)
    .query(async ({ ctx, input: { application_id: applicationId } }) => {
      const { member, now } = ctx;
      const { tenantId, tenantName: business } = member;
      if (env().ENVIRONMENT === 'LIVE') {
        const found = await readAccepted(now, { tenantId, applicationId });
        const problem = found?.problem ? translateError(languageOf(ctx), found.problem) : null;
        const accepted = found && { ...found, problem };
        return { environment: 'LIVE' as const, can_check: trustedKeys().length > 0, business, accepted };
      }
      const score = await readScore(now, tenantId, applicationId);
      const signer = certificateSigner();
      const { publicKey: public_key } = signer;
      return { environment: 'TEST' as const, readiness: score, certificate: certify(score, signer), public_key };
    }),

  add: ownerProcedure
    .input(z.strictObject({ application_id: recordId, file }))
    .output(z.strictObject({ met: z.int() }))
    .mutation(async ({ ctx: { by, now }, input: { application_id: applicationId, file: text } }) => {
      const { met } = await acceptCertificate(now, { ...by, applicationId, file: text });
      return { met };
    }),
});

import { z } from 'zod';
import { queueTest } from '@/lib/activity/mail/state';
import { changeBusiness, readBusiness } from '@/lib/booking/catalog/edit/business';
import { businessFields } from '@/lib/booking/catalog/edit/business-fields';
import { boundedText } from '@/lib/contract/bounded-text';
import { invalidField } from '@/lib/contract/errors/app-error';
import { environmentFacts, setResetPolicy } from '@/lib/operations/sandbox/facts';
import { resetSandbox } from '@/lib/operations/sandbox/reset';
import type { Language } from '@/lib/platform/text/languages';
import { translateError } from '../../messages/errors';
import { languageOf, memberProcedure, ownerProcedure, router, sensitiveProcedure } from '../init';
import { nothing, outputTime } from '../inputs';

const policy = z.enum(['DAILY', 'ON_DEMAND']);

/** The stored settings of the business. They can violate rules that were added later. */
const stored = boundedText(1_000);
const business = z.strictObject({ business_name: stored, time_zone: stored, locales: z.array(stored).max(1_000) });

const facts = z.strictObject({
  environment: z.enum(['TEST', 'LIVE']),
  origin: z.string(),
  database: z.string(),
  issuer: z.string(),
  node_version: z.string(),
  version: z.string(),
  zone_rules: z.string(),
  scheduler: z.enum(['embedded', 'inngest']),
  inngest: z.strictObject({ registered: z.boolean(), problem: z.string().nullable() }).nullable(),
  delivery_lag_seconds: z.number().nullable(),
  last_backup_at: outputTime.nullable(),
  mail: z.strictObject({
    on: z.boolean(),
    from: z.string().nullable(),
    waiting: z.number(),
    last_sent_at: outputTime.nullable(),
    last_problem: z.strictObject({ at: outputTime, problem: z.string(), given_up: z.boolean() }).nullable(),
    last_test: z
      .strictObject({ state: z.enum(['waiting', 'sent', 'failed']), problem: z.string().nullable() })
      .nullable(),
  }),
  readiness_key: z.string().nullable(),
  payments: z.literal('disabled'),
  tenant_name: z.string(),
  business,
  reset: z.strictObject({ policy, last_reset_at: outputTime.nullable(), time_zone: z.string() }).nullable(),
});

/** A problem can end with the code of the mail server, such as `(550)`. */
function problemIn(language: Language, problem: string): string {
  const end = problem.endsWith(')') ? problem.lastIndexOf(' (') : problem.length;
  return translateError(language, problem.slice(0, end)) + problem.slice(end);
}

/** Procedures that read facts about the deployment, change the business, test the mail server, and reset the sandbox (TEST only). */
export const environmentRouter = router({
  get: memberProcedure.output(facts).query(async ({ ctx }) => {
    const { member, now } = ctx;
    const { mail, ...others } = await environmentFacts(now, member.tenantId);
    const last = mail.last_problem;
    const last_problem = last && { ...last, problem: problemIn(languageOf(ctx), last.problem) };
    return { ...others, mail: { ...mail, last_problem }, business: await readBusiness(member.tenantId) };
  }),

  change_business: ownerProcedure
    .input(z.strictObject({ before: business, ...businessFields }))
    .output(business)
    .mutation(async ({ ctx: { by, now }, input: { before, ...after } }) => {
      await changeBusiness(now, { ...by, before, after });
      return after;
    }),

  // Sends nothing to anybody else: the mail goes to the address of the member.
  test_mail: ownerProcedure.output(nothing).mutation(({ ctx: { member, now } }) => queueTest(now, member)),

  set_reset_policy: ownerProcedure
    .input(z.strictObject({ policy }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input }) => setResetPolicy(now, by, input.policy)),

  reset_now: sensitiveProcedure
    .input(z.strictObject({ tenant_name: boundedText(300) }))
    .output(z.strictObject({ reset_at: outputTime }))
    .mutation(async ({ ctx: { by, now, member }, input }) => {
      // Prevents an accidental reset.
      if (input.tenant_name.trim() !== member.tenantName)
        throw invalidField('tenant_name', 'must be the name of the business');
      return { reset_at: await resetSandbox(now, by) };
    }),
});

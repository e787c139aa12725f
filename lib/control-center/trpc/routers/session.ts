import { z } from 'zod';
import { requestAddressChange } from '@/lib/access/owners/address-change';
import { emailAddress } from '@/lib/access/owners/email';
import { chooseLanguage } from '@/lib/access/owners/language';
import { endOwnOtherSessions, endOwnSession, listOwnSessions } from '@/lib/access/owners/own-sessions';
import { changePassword } from '@/lib/access/owners/password';
import { confirmSession } from '@/lib/access/owners/proof';
import { NOTICE_KINDS } from '@/lib/activity/mail/kinds';
import { isMailOn } from '@/lib/activity/mail/queue';
import { chooseMail, readChoices } from '@/lib/activity/mail/unsubscribe';
import { recordId } from '@/lib/contract/common';
import { env } from '@/lib/platform/env';
import { HOUR_CYCLES, LANGUAGES } from '@/lib/platform/text/languages';
import { accountProcedure, confirmed, personProcedure, router } from '../init';
import { nothing, outputTime } from '../inputs';
import { passwordInput as password, proofInput, proofOf } from './proof-input';

const me = z.strictObject({
  name: z.string(),
  email: z.string(),
  role: z.enum(['OWNER', 'SUPPORT', 'FRONT_DESK']),
  tenant_name: z.string(),
  environment: z.enum(['TEST', 'LIVE']),
  mail: z.boolean(),
  allows_loopback: z.boolean(),
});

const session = z.strictObject({
  id: z.string(),
  started_at: outputTime,
  last_used_at: outputTime,
  network: z.string().nullable(),
  browser: z.string().nullable(),
  current: z.boolean(),
});

const mailChoices = z.strictObject({
  /** Whether this deployment sends mails. */
  on: z.boolean(),
  email: z.string(),
  address_proven: z.boolean(),
  kinds: z.array(z.strictObject({ kind: z.enum(NOTICE_KINDS), wanted: z.boolean() })),
});

export const sessionRouter = router({
  me: accountProcedure.output(me).query(({ ctx: { member } }) => ({
    name: member.name,
    email: member.email,
    role: member.role,
    tenant_name: member.tenantName,
    environment: env().ENVIRONMENT,
    mail: isMailOn(),
    allows_loopback: env().WEBHOOKS_ALLOW_LOOPBACK === '1',
  })),

  list: accountProcedure.output(z.array(session)).query(({ ctx: { member, now } }) => listOwnSessions(now, member)),

  end: accountProcedure
    .input(z.strictObject({ session_id: recordId }))
    .output(nothing)
    .mutation(({ ctx: { member, now }, input: { session_id } }) => endOwnSession(now, member, session_id)),

  end_others: accountProcedure.output(nothing).mutation(({ ctx: { member, now } }) => endOwnOtherSessions(now, member)),

  confirm: accountProcedure
    .input(proofInput)
    .output(nothing)
    .mutation(({ ctx: { member, address, now }, input }) =>
      confirmSession(now, { member, address, proof: proofOf(input) }),
    ),

  // A page calls this procedure before it requests a file, because only failed procedures open the dialog for the proof.
  require_confirmed: accountProcedure
    .use(confirmed)
    .output(z.strictObject({ confirmed: z.literal(true) }))
    .query(() => ({ confirmed: true })),

  mail_choices: accountProcedure.output(mailChoices).query(async ({ ctx: { member } }) => ({
    on: isMailOn(),
    ...(await readChoices(member.userId, member.role)),
  })),

  choose_mail: accountProcedure
    .input(z.strictObject({ kind: z.enum(NOTICE_KINDS), wanted: z.boolean() }))
    .output(nothing)
    .mutation(({ ctx: { member }, input: { kind, wanted } }) => chooseMail({ userId: member.userId, kind }, wanted)),

  choose_language: accountProcedure
    .input(z.strictObject({ language: z.enum(LANGUAGES).nullable(), hour_cycle: z.enum(HOUR_CYCLES).nullable() }))
    .output(nothing)
    .mutation(({ ctx: { member }, input: { language, hour_cycle: hourCycle } }) =>
      chooseLanguage({ userId: member.userId, language, hourCycle }),
    ),

  // Mails a link, with which the person then changes the address.
  change_email: accountProcedure
    .input(proofInput.extend({ email: emailAddress }))
    .output(z.strictObject({ requested: z.literal(true) }))
    .mutation(async ({ ctx: { member, address, now }, input: { email, ...given } }) => {
      await requestAddressChange(now, { member, address, email, proof: proofOf(given) });
      return { requested: true };
    }),

  // Everybody who is signed in may change the password, even those who can do nothing else yet.
  change_password: personProcedure
    .input(z.strictObject({ current_password: password, new_password: password }))
    .output(nothing)
    .mutation(({ ctx: { person, address, now }, input }) =>
      changePassword(now, { person, address, current: input.current_password, next: input.new_password }),
    ),
});

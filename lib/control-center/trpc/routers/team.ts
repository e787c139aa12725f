import { z } from 'zod';
import { emailAddress as email } from '@/lib/access/owners/email';
import { invite, listInvitations, revokeInvitation } from '@/lib/access/owners/invitations';
import {
  changeRole,
  endMemberSessions,
  listMembers,
  removeMember,
  requireSecondFactor,
  requiresSecondFactor,
  resetSecondFactor,
} from '@/lib/access/owners/team';
import { recordId } from '@/lib/contract/common';
import { ownerProcedure, router, sensitiveProcedure } from '../init';
import { outputTime } from '../inputs';

const role = z.enum(['OWNER', 'SUPPORT', 'FRONT_DESK']);

const member = z.strictObject({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  joined_at: outputTime,
  last_sign_in_at: outputTime.nullable(),
  second_factor: z.boolean(),
  is_you: z.boolean(),
});

const invitation = z.strictObject({
  id: z.string(),
  email: z.string(),
  role,
  invited_by: z.string(),
  created_at: outputTime,
  expires_at: outputTime,
  expired: z.boolean(),
});

export const teamRouter = router({
  list: ownerProcedure
    .output(
      z.strictObject({
        members: z.array(member),
        invitations: z.array(invitation),
        second_factor_required: z.boolean(),
      }),
    )
    .query(async ({ ctx: { member: you, now } }) => {
      const [members, invitations, required] = await Promise.all([
        listMembers(you.tenantId),
        listInvitations(now, you.tenantId),
        requiresSecondFactor(you.tenantId),
      ]);
      const listed = members.map((one) => ({ ...one, is_you: one.user_id === you.userId }));
      return { members: listed, invitations, second_factor_required: required };
    }),

  invite: sensitiveProcedure
    .input(z.strictObject({ email, role }))
    // `link` contains the invitation's token in plaintext, which no other response contains.
    .output(z.strictObject({ id: z.string(), link: z.string(), expires_at: outputTime, mailed: z.boolean() }))
    .mutation(({ ctx: { by, member: you, now }, input }) => invite(now, { ...by, userId: you.userId, ...input })),

  revoke_invitation: ownerProcedure
    .input(z.strictObject({ invitation_id: recordId }))
    .output(z.strictObject({ id: z.string() }))
    .mutation(async ({ ctx: { by, now }, input: { invitation_id: id } }) => {
      await revokeInvitation(now, { ...by, id });
      return { id };
    }),

  set_role: sensitiveProcedure
    .input(z.strictObject({ user_id: recordId, role }))
    .output(z.strictObject({ role }))
    .mutation(async ({ ctx: { by, now }, input }) => {
      await changeRole(now, { ...by, userId: input.user_id, role: input.role });
      return { role: input.role };
    }),

  end_sessions: ownerProcedure
    .input(z.strictObject({ user_id: recordId }))
    .output(z.strictObject({ user_id: z.string() }))
    .mutation(async ({ ctx: { by, now }, input: { user_id: userId } }) => {
      await endMemberSessions(now, { ...by, userId });
      return { user_id: userId };
    }),

  remove: sensitiveProcedure
    .input(z.strictObject({ user_id: recordId }))
    .output(z.strictObject({ user_id: z.string() }))
    .mutation(async ({ ctx: { by, now }, input: { user_id: userId } }) => {
      await removeMember(now, { ...by, userId });
      return { user_id: userId };
    }),

  require_second_factor: sensitiveProcedure
    .input(z.strictObject({ required: z.boolean() }))
    .output(z.strictObject({ required: z.boolean() }))
    .mutation(async ({ ctx: { by, now, member: you }, input: { required } }) => {
      await requireSecondFactor(now, { ...by, userId: you.userId, required });
      return { required };
    }),

  reset_second_factor: sensitiveProcedure
    .input(z.strictObject({ user_id: recordId }))
    .output(z.strictObject({ user_id: z.string() }))
    .mutation(async ({ ctx: { by, now }, input: { user_id: userId } }) => {
      await resetSecondFactor(now, { ...by, userId });
      return { user_id: userId };
    }),
});

import { z } from 'zod';
import { emailAddress as email } from '@/lib/access/owners/email';
import { invite, listInvitations, revokeInvitation } from '@/lib/access/owners/invitations';
import { MAX_REACHED } from '@/lib/access/owners/location-limit';
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
import { nothing, outputTime } from '../inputs';

const role = z.enum(['OWNER', 'SUPPORT', 'FRONT_DESK']);

/** Those to which a front desk is limited. Null for all. */
const locationIds = z.array(recordId).min(1, 'must not be empty').max(MAX_REACHED).nullable();

const member = z.strictObject({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  locations: z.array(z.strictObject({ id: z.string(), name: z.string() })).nullable(),
  joined_at: outputTime,
  last_sign_in_at: outputTime.nullable(),
  second_factor: z.boolean(),
  is_you: z.boolean(),
});

const invitation = z.strictObject({
  id: z.string(),
  email: z.string(),
  role,
  locations: z.int().nullable(),
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
    .input(z.strictObject({ email, role, location_ids: locationIds.default(null) }))
    // `link` contains the invitation's token in plaintext, which no other response contains.
    .output(z.strictObject({ id: z.string(), link: z.string(), expires_at: outputTime, mailed: z.boolean() }))
    .mutation(({ ctx: { by, member: you, now }, input: { location_ids, ...invited } }) =>
      invite(now, { ...by, userId: you.userId, ...invited, locationIds: location_ids }),
    ),

  revoke_invitation: ownerProcedure
    .input(z.strictObject({ invitation_id: recordId }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { invitation_id: id } }) => revokeInvitation(now, { ...by, id })),

  set_role: sensitiveProcedure
    // Without `location_ids`, a front desk keeps its limit.
    .input(z.strictObject({ user_id: recordId, role, location_ids: locationIds.optional() }))
    .output(z.strictObject({ role }))
    .mutation(async ({ ctx: { by, now }, input }) => {
      const { user_id: userId, role, location_ids: locationIds } = input;
      await changeRole(now, { ...by, userId, role, locationIds });
      return { role };
    }),

  end_sessions: ownerProcedure
    .input(z.strictObject({ user_id: recordId }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { user_id: userId } }) => endMemberSessions(now, { ...by, userId })),

  remove: sensitiveProcedure
    .input(z.strictObject({ user_id: recordId }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { user_id: userId } }) => removeMember(now, { ...by, userId })),

  require_second_factor: sensitiveProcedure
    .input(z.strictObject({ required: z.boolean() }))
    .output(z.strictObject({ required: z.boolean() }))
    .mutation(async ({ ctx: { by, now, member: you }, input: { required } }) => {
      await requireSecondFactor(now, { ...by, userId: you.userId, required });
      return { required };
    }),

  reset_second_factor: sensitiveProcedure
    .input(z.strictObject({ user_id: recordId }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { user_id: userId } }) => resetSecondFactor(now, { ...by, userId })),
});

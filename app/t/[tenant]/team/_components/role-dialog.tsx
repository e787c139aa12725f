'use client';

import { Radio, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { ROLE_NAMES } from '../../_components/roles';
import { useTRPC } from '../../_components/trpc';
import { type Limit, LocationLimit, limitProblem } from './location-limit';
import { ROLE_TEXTS } from './roles';
import { useTeamChange } from './use-team-change';

type Role = TeamMember['role'];
type Props = { member: TeamMember; opened: boolean; onClose: () => void };

/** Changes a member's role, and to which locations a front desk is limited. */
export function RoleDialog({ member, opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const [role, setRole] = useState<Role>(member.role);
  const [limit, setLimit] = useState<Limit>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    setRole(member.role);
    setLimit(member.locations?.map(({ id }) => id) ?? null);
  }, [member]);
  const change = useMutation(
    trpc.team.set_role.mutationOptions({
      onSuccess: () => {
        onClose();
        return after(
          role === member.role
            ? `${member.name}’s locations changed.`
            : `${member.name}’s role changed to ${ROLE_NAMES[role].toLowerCase()}.`,
        );
      },
    }),
  );
  const close = () => {
    change.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Change ${member.name}’s role?`}
      opened={opened}
      onClose={close}
      action="Change role"
      busy={change.isPending}
      problem={change.error?.message ?? null}
      onConfirm={() => {
        setProblem(limitProblem(role, limit));
        if (limitProblem(role, limit) !== null) return;
        change.mutate({ user_id: member.user_id, role, location_ids: role === 'FRONT_DESK' ? limit : null });
      }}
    >
      <Stack gap="md">
        <RoleField
          value={role}
          onChange={setRole}
          description="The change takes effect on the member’s next request."
        />
        {role === 'FRONT_DESK' && (
          <LocationLimit value={limit} onChange={setLimit} error={limitProblem(role, limit) && problem} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

type FieldProps = { value: Role; onChange: (role: Role) => void; description?: string };

/** A field that selects a role. It describes the permissions of each role. */
export function RoleField({ value, onChange, description }: FieldProps) {
  return (
    <Radio.Group label="Role" description={description} value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap="sm" mt="xs">
        {(['SUPPORT', 'FRONT_DESK', 'OWNER'] as const).map((role) => (
          <Radio key={role} value={role} label={ROLE_NAMES[role]} description={ROLE_TEXTS[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

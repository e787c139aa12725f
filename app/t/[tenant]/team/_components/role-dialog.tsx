'use client';

import { Radio, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { useTRPC } from '../../_components/trpc';
import { type Limit, LocationLimit, limitProblem } from './location-limit';
import { useTeamChange } from './use-team-change';

type Role = TeamMember['role'];
type Props = { member: TeamMember; opened: boolean; onClose: () => void };

/** Changes a member's role, and to which locations a front desk is limited. */
export function RoleDialog({ member, opened, onClose }: Props) {
  const t = useTranslations('team.role');
  const trpc = useTRPC();
  const after = useTeamChange(onClose);
  const limits = useTranslations('team.locations');
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
        const { name } = member;
        return after(role === member.role ? t('locationsChanged', { name }) : t('changed', { name, role }));
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('title', { name: member.name })}
      opened={opened}
      onClose={onClose}
      action={t('action')}
      change={change}
      onConfirm={() => {
        setProblem(limitProblem(limits, role, limit));
        if (limitProblem(limits, role, limit) !== null) return;
        change.mutate({ user_id: member.user_id, role, location_ids: role === 'FRONT_DESK' ? limit : null });
      }}
    >
      <Stack gap="md">
        <RoleField value={role} onChange={setRole} description={t('effect')} />
        {role === 'FRONT_DESK' && (
          <LocationLimit value={limit} onChange={setLimit} error={limitProblem(limits, role, limit) && problem} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

type FieldProps = { value: Role; onChange: (role: Role) => void; description?: string };

/** A field that selects a role. It describes the permissions of each role. */
export function RoleField({ value, onChange, description }: FieldProps) {
  const t = useTranslations('team.role');
  const words = useTranslations('words');
  return (
    <Radio.Group label={t('label')} description={description} value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap="sm" mt="xs">
        {(['SUPPORT', 'FRONT_DESK', 'OWNER'] as const).map((role) => (
          <Radio key={role} value={role} label={words(`roles.${role}`)} description={t(`permissions.${role}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

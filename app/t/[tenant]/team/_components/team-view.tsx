'use client';

import { Button, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../_components/shell/page-header';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { InvitationTable } from './invitation-table';
import { InviteDialog } from './invite-dialog';
import { MemberTable } from './member-table';
import { RequiredSwitch } from './required-switch';

/** The members, the open invitations, and a button to invite members. */
export function TeamView() {
  const trpc = useTRPC();
  const t = useTranslations('team');
  const team = useQuery(trpc.team.list.queryOptions());
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          team.data && (
            <Button onClick={open} leftSection={<IconUserPlus size={16} aria-hidden />}>
              {t('invite')}
            </Button>
          )
        }
      />
      {team.isError && <ErrorState error={team.error} retry={() => void team.refetch()} />}
      {team.isPending && <LoadingRows rows={4} height={56} />}
      {team.data && (
        <Stack gap="xl">
          <MemberTable members={team.data.members} />
          <RequiredSwitch
            required={team.data.second_factor_required}
            youHaveOne={team.data.members.some(({ is_you, second_factor }) => is_you && second_factor)}
          />
          {team.data.invitations.length > 0 && (
            <Stack gap="sm">
              <Title order={2} size="h4">
                {t('openInvitations')}
              </Title>
              <InvitationTable invitations={team.data.invitations} />
            </Stack>
          )}
        </Stack>
      )}
      <InviteDialog opened={opened} onClose={close} />
    </>
  );
}

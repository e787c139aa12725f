'use client';

import { Button, List } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';

type Target = { id: string; name: string; suspended: boolean; keys_in_use: number };

/** Suspends or resumes an application after a confirmation that explains the effects. */
export function SuspendButton({ application }: { application: Target }) {
  const [opened, { open, close }] = useDisclosure();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { id, name, suspended } = application;
  const t = useTranslations(`applications.${suspended ? 'resume' : 'suspend'}`);
  const change = useMutation(
    trpc.applications.set_suspended.mutationOptions({
      onSuccess: () => {
        close();
        notifications.show({ message: t('done', { name }) });
        return queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
      },
    }),
  );
  return (
    <>
      <Button
        variant="default"
        aria-label={t('label', { name })}
        onClick={() => {
          change.reset();
          open();
        }}
      >
        {t('verb')}
      </Button>
      <ConfirmDialog
        title={t('title', { name })}
        opened={opened}
        onClose={close}
        action={t('action')}
        danger={!suspended}
        busy={change.isPending}
        problem={change.error?.message ?? null}
        onConfirm={() => change.mutate({ application_id: id, suspended: !suspended })}
      >
        {suspended ? <ResumeEffects application={application} /> : <SuspendEffects application={application} />}
      </ConfirmDialog>
    </>
  );
}

function SuspendEffects({ application }: { application: Target }) {
  const t = useTranslations('applications.suspend');
  return (
    <>
      <Points title={t('changes')} points={[t('refused', { count: application.keys_in_use }), t('webhooks')]} />
      <Points title={t('stays')} points={[t('bookings'), t('policy'), t('anyTime')]} />
    </>
  );
}

function ResumeEffects({ application }: { application: Target }) {
  const t = useTranslations('applications.resume');
  return (
    <List size="sm" spacing={4}>
      <List.Item>{t('keys', { count: application.keys_in_use })}</List.Item>
      <List.Item>{t('webhooks')}</List.Item>
      <List.Item>{t('others')}</List.Item>
    </List>
  );
}

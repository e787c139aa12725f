'use client';

import { Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { Part } from './part';

/** Switches the names of customers in lists and schedules on and off. A dialog states the effect first. */
export function NamesSection() {
  const trpc = useTRPC();
  const t = useTranslations('privacy.names');
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  const names = useQuery(trpc.privacy.names.queryOptions());
  const save = useMutation(
    trpc.privacy.set_names.mutationOptions({
      onSuccess: ({ shown }) => {
        setOpened(false);
        notifications.show({ message: shown ? t('shown') : t('hidden') });
        void queries.invalidateQueries({ queryKey: trpc.bookings.names_shown.queryKey() });
        return queries.invalidateQueries({ queryKey: trpc.privacy.names.queryKey() });
      },
    }),
  );
  if (names.isError) return <ErrorState error={names.error} retry={() => void names.refetch()} />;
  if (!names.data) return <LoadingRows rows={1} height={120} />;
  const { shown } = names.data;
  const close = () => {
    save.reset();
    setOpened(false);
  };
  return (
    <Part title={t('title')}>
      <Text size="sm">{t('lead')}</Text>
      <Switch label={t('switch')} checked={shown} onChange={() => setOpened(true)} />
      <ConfirmDialog
        title={shown ? t('hideTitle') : t('showTitle')}
        opened={opened}
        onClose={close}
        action={shown ? t('hide') : t('show')}
        busy={save.isPending}
        problem={save.error?.message ?? null}
        onConfirm={() => save.mutate({ shown: !shown })}
      >
        <Text size="sm">{shown ? t('hideEffect') : t('showEffect')}</Text>
      </ConfirmDialog>
    </Part>
  );
}

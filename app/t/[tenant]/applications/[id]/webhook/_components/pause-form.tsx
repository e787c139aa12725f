'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Endpoint } from '../../../../_components/api-types';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/** Pauses the endpoint after a confirmation that explains the effects. */
export function PauseForm({ applicationId, endpoint, onCancel }: Props) {
  const t = useTranslations('webhooks.pause');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const pause = useMutation(
    trpc.webhooks.pause.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: t('done') });
        onCancel();
      },
      onError: () => void refresh(),
    }),
  );
  return (
    <Stack>
      <Points title={t('changes')} points={[t('held', { count: endpoint.pending }), t('noReplay')]} />
      <Points title={t('stays')} points={[t('tests'), t('bookings'), t('oldest')]} />
      <Problem error={pause.error} />
      <FormEnd
        verb={t('go')}
        danger
        busy={pause.isPending}
        onCancel={onCancel}
        onGo={() => pause.mutate({ application_id: applicationId })}
      />
    </Stack>
  );
}

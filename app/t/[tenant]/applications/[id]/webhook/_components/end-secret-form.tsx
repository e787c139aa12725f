'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; number: number; onCancel: () => void };

/** Deactivates an older signing secret, after a confirmation that explains the effects. */
export function EndSecretForm({ applicationId, number, onCancel }: Props) {
  const t = useTranslations('webhooks.endSecret');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const end = useMutation(
    trpc.webhooks.end_secret.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: t('done', { number }) });
        onCancel();
      },
      onError: () => void refresh(),
    }),
  );
  return (
    <Stack>
      <Points title={t('changes')} points={[t('stops', { number }), t('rejects')]} />
      <Points title={t('stays')} points={[t('others'), t('noLoss'), t('accepts')]} />
      <Problem error={end.error} />
      <FormEnd
        verb={t('go')}
        danger
        busy={end.isPending}
        onCancel={onCancel}
        onGo={() => end.mutate({ application_id: applicationId, number })}
      />
    </Stack>
  );
}

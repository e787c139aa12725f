'use client';

import { Alert, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Endpoint } from '../../../../_components/api-types';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/** Resumes or re-enables an endpoint after a confirmation that explains the effects. */
export function ResumeForm({ applicationId, endpoint, onCancel }: Props) {
  const t = useTranslations('webhooks.resume');
  const reasons = useTranslations('webhooks.reasons');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const disabled = endpoint.state === 'disabled';
  const resume = useMutation(
    trpc.webhooks.resume.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: disabled ? t('reEnabled') : t('resumed') });
        onCancel();
      },
      onError: () => void refresh(),
    }),
  );
  return (
    <Stack>
      {disabled && endpoint.reason && (
        <Alert color="yellow" title={reasons(`${endpoint.reason}.title`)}>
          {t('testFirst')}
        </Alert>
      )}
      <Points
        title={t('changes')}
        points={[t('sent', { count: endpoint.pending }), ...(disabled ? [t('again')] : [])]}
      />
      <Points title={t('stays')} points={[t('failed')]} />
      <Problem error={resume.error} />
      <FormEnd
        verb={disabled ? t('reEnable') : t('resume')}
        busy={resume.isPending}
        onCancel={onCancel}
        onGo={() => resume.mutate({ application_id: applicationId })}
      />
    </Stack>
  );
}

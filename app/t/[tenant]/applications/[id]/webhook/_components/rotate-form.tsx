'use client';

import { NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Endpoint } from '../../../../_components/api-types';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

/** The choices of an overlap, in days. */
const OVERLAPS = [0, 1, 2, 3, 4, 5, 6, 7];

type Props = {
  applicationId: string;
  endpoint: Endpoint;
  onCancel: () => void;
  onIssued: (secret: string) => void;
};

/** Replaces the signing secret. During the overlap, deliveries are also signed with the old secret. */
export function RotateForm({ applicationId, endpoint, onCancel, onIssued }: Props) {
  const t = useTranslations('webhooks.rotate');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [days, setDays] = useState('1');
  const rotate = useMutation(trpc.webhooks.rotate.mutationOptions({ gcTime: 0 }));
  const submit = async () => {
    const input = { application_id: applicationId, overlap_days: Number(days) };
    const made = await rotate.mutateAsync(input).catch(() => null);
    if (!made) return;
    // Removes the secret from the mutation cache, because only the dialog may hold the secret.
    rotate.reset();
    onIssued(made.secret);
    void refresh();
  };
  const atOnce = days === '0';
  const ending = endpoint.secrets.filter((secret) => secret.expires_at !== null).length;
  return (
    <Stack>
      <NativeSelect
        label={t('label')}
        description={atOnce ? undefined : t('help')}
        data={OVERLAPS.map((count) => ({
          value: String(count),
          label: count === 0 ? t('now') : t('inDays', { count }),
        }))}
        value={days}
        data-autofocus
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <Points title={t('changes')} points={[t('newSecret'), atOnce ? t('endsNow') : t('endsLater')]} />
      <Points title={t('stays')} points={[t('noLoss'), ...(ending > 0 ? [t('older')] : [])]} />
      <Problem error={rotate.error} />
      <FormEnd verb={t('go')} danger={atOnce} busy={rotate.isPending} onCancel={onCancel} onGo={submit} />
    </Stack>
  );
}

'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { DeliveryDetail } from '../../../../_components/api-types';
import { Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; delivery: DeliveryDetail; active: boolean };

/** Replays one delivery after a confirmation. */
export function ReplayOne({ applicationId, delivery, active }: Props) {
  const t = useTranslations('webhooks.replayOne');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const replay = useMutation(
    trpc.webhooks.replay.mutationOptions({
      onSuccess: () => {
        setAsking(false);
        return refresh();
      },
      onError: () => void refresh(),
    }),
  );
  const reason = blockedReason(t, delivery, active);
  const input = { application_id: applicationId, delivery_id: delivery.id };
  if (reason) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {reason}
      </Text>
    );
  }
  if (!asking) {
    return (
      <Group>
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          {t('replay')}
        </Button>
      </Group>
    );
  }
  return (
    <Alert color="gray" title={t('title')}>
      <Stack gap="sm">
        <Text size="sm">
          {t('text')} {delivery.state === 'succeeded' && `${t('has')} `}
          {delivery.state === 'pending' ? t('retries') : t('noRetry')}
        </Text>
        <Problem error={replay.error} />
        <Group gap="xs">
          <Button size="xs" loading={replay.isPending} onClick={() => replay.mutate(input)} data-autofocus autoFocus>
            {t('now')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsking(false)}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function blockedReason(
  t: Translator<'webhooks.replayOne'>,
  { type, under_way, manual_requested }: DeliveryDetail,
  active: boolean,
): string | null {
  if (type === 'webhook.test') return t('test');
  if (!active) return t('onlyActive');
  if (under_way) return t('underWay');
  return manual_requested ? t('soon') : null;
}

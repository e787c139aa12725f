'use client';

import { Alert, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { KeyRow } from '../../../../_components/api-types';
import { FormEnd, Problem } from '../../../../_components/forms/form-end';
import { SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';

type Props = { target: KeyRow; onCancel: () => void; onChanged: () => Promise<unknown> };

/** Revokes a key after a confirmation that explains the effects. */
export function RevokeForm({ target, onCancel, onChanged }: Props) {
  const t = useTranslations('applications.revokeKey');
  const trpc = useTRPC();
  const { name, prefix, last_four: lastFour, last_used_at: lastUsed, requests_24h: requests } = target;
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: async () => {
        await onChanged();
        notifications.show({ message: t('done', { name }) });
        onCancel();
      },
    }),
  );
  return (
    <Stack>
      <List size="sm" spacing={4}>
        <List.Item>{t.rich('effect', { key: `${prefix}…${lastFour}`, b: (text) => <b>{text}</b> })}</List.Item>
        <List.Item>{t('others')}</List.Item>
      </List>
      <Alert color={requests > 0 ? 'red' : 'gray'}>
        {requests > 0 ? t('requests', { count: requests }) : t('noRequests')}{' '}
        {lastUsed ? t.rich('lastUsed', { time: () => <Time value={lastUsed} options={SHORT_TIME} /> }) : t('neverUsed')}
      </Alert>
      <Text size="xs" c="dimmed">
        {t('rotateInstead')}
      </Text>
      <Problem error={revoke.error} />
      <FormEnd
        verb={t('revoke')}
        danger
        busy={revoke.isPending}
        onCancel={onCancel}
        onGo={() => revoke.mutate({ key_id: target.id })}
      />
    </Stack>
  );
}

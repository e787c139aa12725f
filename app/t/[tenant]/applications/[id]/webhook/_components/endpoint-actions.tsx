'use client';

import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Endpoint } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';
import type { WebhookAct } from './webhook-dialog';

type Props = {
  applicationId: string;
  endpoint: Endpoint;
  onAct: (act: WebhookAct) => void;
  onTest: (deliveryId: string) => void;
};

/**
 * The buttons for the actions on an endpoint. If the endpoint is paused because its application is suspended, there is
 * no Resume button: resuming the application also resumes the endpoint.
 */
export function EndpointActions({ applicationId, endpoint, onAct, onTest }: Props) {
  const t = useTranslations('webhooks.actions');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess: ({ delivery_id: id }) => {
        onTest(id);
        void refresh();
      },
      onError: (error) => notifications.show({ color: 'red', message: error.message }),
    }),
  );
  const { state, reason } = endpoint;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="xs"
        loading={test.isPending}
        onClick={() => test.mutate({ application_id: applicationId })}
      >
        {t('test')}
      </Button>
      <Button variant="default" size="xs" onClick={() => onAct({ kind: 'edit', endpoint })}>
        {t('edit')}
      </Button>
      <Button variant="default" size="xs" onClick={() => onAct({ kind: 'rotate' })}>
        {t('rotate')}
      </Button>
      {state === 'active' && (
        <Button variant="default" size="xs" onClick={() => onAct({ kind: 'pause' })}>
          {t('pause')}
        </Button>
      )}
      {(state === 'disabled' || reason === 'owner') && (
        <Button size="xs" onClick={() => onAct({ kind: 'resume' })}>
          {state === 'disabled' ? t('reEnable') : t('resume')}
        </Button>
      )}
    </Group>
  );
}

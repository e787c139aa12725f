'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Endpoint } from '../../../../_components/api-types';
import { DAY } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { Countdown } from '../../../_components/countdown';
import type { WebhookAct } from './webhook-dialog';

type Props = {
  endpoint: Endpoint;
  /** Milliseconds by which the server's clock is ahead of the browser's. */
  ahead: number;
  canEdit: boolean;
  onEnd: () => void;
  onAct: (act: WebhookAct) => void;
};

/** The signing secrets, beginning with the current secret. An owner can deactivate the older secrets. */
export function SecretList({ endpoint: { secrets, max_secrets: most }, ahead, canEdit, onEnd, onAct }: Props) {
  const t = useTranslations('webhooks.secrets');
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t('count', { count: secrets.length, max: most })}
      </Text>
      <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {secrets.map(({ number, created_at: created, expires_at: ends }) => (
          <Group key={number} component="li" gap="xs">
            <Text size="sm">{t.rich('created', { number, time: () => <Time value={created} options={DAY} /> })}</Text>
            {ends ? (
              <>
                <Countdown endsAt={Date.parse(ends) - ahead} onEnd={onEnd} />
                {canEdit && (
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={t('deactivateLabel', { number })}
                    onClick={() => onAct({ kind: 'end', number })}
                  >
                    {t('deactivate')}
                  </Button>
                )}
              </>
            ) : (
              <Text size="xs" c="dimmed">
                {t('current')}
              </Text>
            )}
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}

'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import type { Endpoint } from '../../../../_components/api-types';
import { DAY } from '../../../../_components/moments';
import { Time } from '../../../../_components/time';
import { Countdown } from '../../../_components/countdown';
import type { WebhookAct } from './webhook-dialog';

type Props = {
  endpoint: Endpoint;
  /** Milliseconds by which the server's clock is ahead of this machine's. */
  ahead: number;
  canEdit: boolean;
  onEnd: () => void;
  onAct: (act: WebhookAct) => void;
};

/** The secrets that sign, the current one first, and when each of the others ends; an owner can end those now. */
export function SecretList({ endpoint: { secrets, max_secrets: most }, ahead, canEdit, onEnd, onAct }: Props) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Secrets that sign: {secrets.length} of {most} at most
      </Text>
      <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {secrets.map(({ number, created_at: created, expires_at: ends }) => (
          <Group key={number} component="li" gap="xs">
            <Text size="sm">
              Secret {number}, made <Time value={created} options={DAY} />
            </Text>
            {ends ? (
              <>
                <Countdown endsAt={Date.parse(ends) - ahead} onEnd={onEnd} />
                {canEdit && (
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={`End now: secret ${number}`}
                    onClick={() => onAct({ kind: 'end', number })}
                  >
                    End now
                  </Button>
                )}
              </>
            ) : (
              <Text size="xs" c="dimmed">
                current, does not end
              </Text>
            )}
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}

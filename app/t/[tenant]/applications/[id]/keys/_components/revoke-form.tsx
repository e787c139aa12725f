'use client';

import { Alert, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { KeyRow } from '../../../../_components/api-types';
import { plural } from '../../../../_components/format';
import { FormEnd, Problem } from '../../../../_components/forms/form-end';
import { SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';

type Props = { target: KeyRow; onCancel: () => void; onChanged: () => Promise<unknown> };

/** Revokes a key after a confirmation that explains the effects. */
export function RevokeForm({ target, onCancel, onChanged }: Props) {
  const trpc = useTRPC();
  const { name, prefix, last_four: lastFour, last_used_at: lastUsed, requests_24h: requests } = target;
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: async () => {
        await onChanged();
        notifications.show({ message: `${name} revoked.` });
        onCancel();
      },
    }),
  );
  return (
    <Stack>
      <List size="sm" spacing={4}>
        <List.Item>
          Within a second, the key{' '}
          <b>
            {prefix}…{lastFour}
          </b>{' '}
          is refused with status 401, code <b>invalid_api_key</b>. This can’t be undone.
        </List.Item>
        <List.Item>Other keys and existing bookings are not affected.</List.Item>
      </List>
      <Alert color={requests > 0 ? 'red' : 'gray'}>
        {requests > 0 ? `${plural(requests, 'request')} in the last 24 hours.` : 'No requests in the last 24 hours.'}{' '}
        {lastUsed ? (
          <>
            Last used <Time value={lastUsed} options={SHORT_TIME} />.
          </>
        ) : (
          'Never used.'
        )}
      </Alert>
      <Text size="xs" c="dimmed">
        To replace the key without downtime, rotate it instead.
      </Text>
      <Problem error={revoke.error} />
      <FormEnd
        verb="Revoke key"
        danger
        busy={revoke.isPending}
        onCancel={onCancel}
        onGo={() => revoke.mutate({ key_id: target.id })}
      />
    </Stack>
  );
}

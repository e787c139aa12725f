'use client';

import { Alert, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Endpoint } from '../../../../_components/api-types';
import { plural } from '../../../../_components/format';
import { useTRPC } from '../../../../_components/trpc';
import { FormEnd, Points, Problem } from './form-end';
import { useRefresh } from './use-refresh';
import { REASON_TEXTS } from './words';

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/** Makes a paused or disabled endpoint active again, after saying what is then sent. */
export function ResumeForm({ applicationId, endpoint, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const disabled = endpoint.state === 'disabled';
  const resume = useMutation(
    trpc.webhooks.resume.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: 'The endpoint is active again.' });
        onCancel();
      },
      onError: () => void refresh(),
    }),
  );
  const held = plural(endpoint.pending, 'held delivery', 'held deliveries');
  return (
    <Stack>
      {disabled && endpoint.reason && (
        <Alert color="yellow" title={REASON_TEXTS[endpoint.reason].title}>
          Send a test event first: it is sent although the endpoint is disabled, and shows whether the receiver is well
          again.
        </Alert>
      )}
      <Points
        title="What happens"
        points={[
          `${held} ${endpoint.pending === 1 ? 'is' : 'are'} due at once, the oldest first, four at a time.`,
          ...(disabled ? ['The count of failing days and the 120 hours begin anew.'] : []),
        ]}
      />
      <Points
        title="What does not"
        points={['Deliveries that have failed for good stay so; replay them afterwards.']}
      />
      <Problem error={resume.error} />
      <FormEnd
        verb={disabled ? 'Re-enable the endpoint' : 'Resume the endpoint'}
        busy={resume.isPending}
        onCancel={onCancel}
        onGo={() => resume.mutate({ application_id: applicationId })}
      />
    </Stack>
  );
}

'use client';

import { Alert, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Endpoint } from '../../../../_components/api-types';
import { plural } from '../../../../_components/format';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';
import { REASON_TEXTS } from './words';

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/** Resumes or re-enables an endpoint after a confirmation that explains the effects. */
export function ResumeForm({ applicationId, endpoint, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const disabled = endpoint.state === 'disabled';
  const resume = useMutation(
    trpc.webhooks.resume.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: disabled ? 'Endpoint re-enabled.' : 'Endpoint resumed.' });
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
          Send a test event first. Test events are sent even while the endpoint is disabled. The result shows whether
          the receiver has recovered.
        </Alert>
      )}
      <Points
        title="What changes"
        points={[
          `${held} ${endpoint.pending === 1 ? 'is' : 'are'} sent now, oldest first, at most four at a time.`,
          ...(disabled
            ? [
                'After another 120 hours without a successful delivery, the endpoint may be disabled automatically again.',
              ]
            : []),
        ]}
      />
      <Points
        title="What does not change"
        points={['Deliveries that failed permanently are not sent. You can replay them later.']}
      />
      <Problem error={resume.error} />
      <FormEnd
        verb={disabled ? 'Re-enable endpoint' : 'Resume endpoint'}
        busy={resume.isPending}
        onCancel={onCancel}
        onGo={() => resume.mutate({ application_id: applicationId })}
      />
    </Stack>
  );
}

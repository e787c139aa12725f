'use client';

import { NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint } from '../../../../_components/api-types';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

const OVERLAPS = [
  { value: '0', label: 'Immediately (for a leaked secret)' },
  { value: '1', label: 'In 1 day' },
  ...[2, 3, 4, 5, 6, 7].map((days) => ({ value: String(days), label: `In ${days} days` })),
];

type Props = {
  applicationId: string;
  endpoint: Endpoint;
  onCancel: () => void;
  onIssued: (secret: string) => void;
};

/** Replaces the signing secret. During the overlap, deliveries are also signed with the old secret. */
export function RotateForm({ applicationId, endpoint, onCancel, onIssued }: Props) {
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
        label="Current secret stops signing"
        description={
          atOnce
            ? undefined
            : 'Until then, events are signed with both secrets, and a receiver can verify them with either secret.'
        }
        data={OVERLAPS}
        value={days}
        data-autofocus
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <Points
        title="What changes"
        points={[
          'You get a new secret, shown once. All new attempts are signed with it.',
          atOnce
            ? 'The current secret stops signing now. A receiver rejects events until it has the new secret.'
            : 'The current secret keeps signing until the time you select. The receiver needs the new secret by then.',
        ]}
      />
      <Points
        title="What does not change"
        points={[
          'No delivery is lost: rejected events are retried.',
          ...(ending > 0
            ? [
                'Older secrets still expire as scheduled. If an older secret leaked, select Deactivate in the secret list.',
              ]
            : []),
        ]}
      />
      <Problem error={rotate.error} />
      <FormEnd verb="Rotate secret" danger={atOnce} busy={rotate.isPending} onCancel={onCancel} onGo={submit} />
    </Stack>
  );
}

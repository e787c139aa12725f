'use client';

import { NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { FormEnd, Points, Problem } from './form-end';
import { useRefresh } from './use-refresh';

const OVERLAPS = [
  { value: '0', label: 'At once: for a secret that leaked' },
  { value: '1', label: 'In 1 day' },
  ...[2, 3, 4, 5, 6, 7].map((days) => ({ value: String(days), label: `In ${days} days` })),
];

type Props = {
  applicationId: string;
  endpoint: Endpoint;
  onCancel: () => void;
  onIssued: (secret: string) => void;
};

/** Replaces the signing secret; the old one signs along for a while. */
export function RotateForm({ applicationId, endpoint, onCancel, onIssued }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [days, setDays] = useState('1');
  const rotate = useMutation(trpc.webhooks.rotate.mutationOptions({ gcTime: 0 }));
  const submit = async () => {
    const input = { application_id: applicationId, overlap_days: Number(days) };
    const made = await rotate.mutateAsync(input).catch(() => null);
    if (!made) return;
    // The secret lives in the dialog alone: nothing of it stays in the cache of mutations.
    rotate.reset();
    onIssued(made.secret);
    void refresh();
  };
  const atOnce = days === '0';
  const ending = endpoint.secrets.filter((secret) => secret.expires_at !== null).length;
  return (
    <Stack>
      <NativeSelect
        label="When does the current secret stop signing?"
        description="Until then every event carries the signatures of both, so either verifies it."
        data={OVERLAPS}
        value={days}
        data-autofocus
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <Points
        title="What happens"
        points={[
          'You get a new secret, shown once. Every attempt from now on is signed with it.',
          atOnce
            ? 'The current one stops at once: a receiver that does not have the new one refuses events until it does.'
            : 'The current one signs along until the end that you choose; then the receiver must have the new one.',
        ]}
      />
      <Points
        title="What does not"
        points={[
          'Nothing is paused, no delivery is lost: what a receiver refuses is tried again.',
          ...(ending > 0
            ? [
                'Older secrets that are ending already keep their own end: one that leaked is ended in the list of secrets.',
              ]
            : []),
        ]}
      />
      <Problem error={rotate.error} />
      <FormEnd verb="Rotate the secret" danger={atOnce} busy={rotate.isPending} onCancel={onCancel} onGo={submit} />
    </Stack>
  );
}

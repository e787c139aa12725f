'use client';

import { Alert, Button, Group, List, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedKey, KeyRow } from '../../../../_components/api-types';
import { DAY } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';

type Props = {
  target: KeyRow;
  onCancel: () => void;
  onIssued: (issued: IssuedKey) => void;
  onChanged: () => Promise<unknown>;
};

const OVERLAPS = [
  {
    value: 'now',
    label: 'Immediately',
    description: 'For a leaked key. The partner’s requests fail until the partner switches to the new key.',
  },
  { value: '1h', label: 'In 1 hour', description: null },
  {
    value: '24h',
    label: 'In 24 hours',
    description: 'Until then, both keys work, so the partner has time to switch to the new key.',
  },
  { value: '7d', label: 'In 7 days', description: null },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

/** Replaces a key with a new key. The old key keeps working during the overlap. */
export function RotateForm({ target, onCancel, onIssued, onChanged }: Props) {
  const trpc = useTRPC();
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const rotate = useMutation(trpc.keys.rotate.mutationOptions({ gcTime: 0 }));
  const submit = async () => {
    const issued = await rotate.mutateAsync({ key_id: target.id, overlap }).catch(() => null);
    if (!issued) return;
    // Removes the new key from the mutation cache. Only the dialog may hold the key.
    rotate.reset();
    onIssued(issued);
    void onChanged();
  };
  return (
    <Stack>
      <List size="sm" spacing={4}>
        <List.Item>You get a new key with the same name{target.expires_at && ' and the same lifetime'}.</List.Item>
        <List.Item>
          The old key, ending in <b>{target.last_four}</b>, stops working at the time you select
          {target.expires_at && (
            <>
              , or when it expires (<Time value={target.expires_at} options={DAY} />
              ), whichever comes first
            </>
          )}
          .
        </List.Item>
        <List.Item>Other keys, the policy, and bookings are not affected.</List.Item>
      </List>
      <Radio.Group
        label="Old key stops working"
        value={overlap}
        onChange={(value) => setOverlap(OVERLAPS.find((one) => one.value === value)?.value ?? '24h')}
      >
        <Stack gap="xs" mt="xs">
          {OVERLAPS.map(({ value, label, description }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              data-autofocus={value === overlap || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="xs" c="dimmed">
        Each key can be rotated only once. You can rotate the new key later.
      </Text>
      {rotate.error && (
        <Alert color="red" role="alert">
          {rotate.error.data?.fields?.[0] ? `This key ${rotate.error.data.fields[0].message}.` : rotate.error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={rotate.isPending} color={overlap === 'now' ? 'red.9' : undefined} onClick={submit}>
          Rotate key
        </Button>
      </Group>
    </Stack>
  );
}

'use client';

import { Alert, Button, Group, List, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
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

/** The choices of an overlap, with the keys of their texts. */
const OVERLAPS = [
  { value: 'now', label: 'now', description: 'nowHelp' },
  { value: '1h', label: 'in1h', description: null },
  { value: '24h', label: 'in24h', description: 'in24hHelp' },
  { value: '7d', label: 'in7d', description: null },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

/** Replaces a key with a new key. The old key keeps working during the overlap. */
export function RotateForm({ target, onCancel, onIssued, onChanged }: Props) {
  const t = useTranslations('applications.rotateKey');
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
  const { expires_at: expires } = target;
  const problem = rotate.error?.data?.fields?.[0];
  const b = (text: ReactNode) => <b>{text}</b>;
  return (
    <Stack>
      <List size="sm" spacing={4}>
        <List.Item>{expires ? t('newKeyLifetime') : t('newKey')}</List.Item>
        <List.Item>
          {expires
            ? t.rich('oldKeyExpires', { end: target.last_four, b, time: () => <Time value={expires} options={DAY} /> })
            : t.rich('oldKey', { end: target.last_four, b })}
        </List.Item>
        <List.Item>{t('others')}</List.Item>
      </List>
      <Radio.Group
        label={t('overlap')}
        value={overlap}
        onChange={(value) => setOverlap(OVERLAPS.find((one) => one.value === value)?.value ?? '24h')}
      >
        <Stack gap="xs" mt="xs">
          {OVERLAPS.map(({ value, label, description }) => (
            <Radio
              key={value}
              value={value}
              label={t(label)}
              description={description && t(description)}
              data-autofocus={value === overlap || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="xs" c="dimmed">
        {t('once')}
      </Text>
      {rotate.error && (
        <Alert color="red" role="alert">
          {problem ? t('keyProblem', { problem: problem.message }) : rotate.error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button loading={rotate.isPending} color={overlap === 'now' ? 'red.9' : undefined} onClick={submit}>
          {t('rotate')}
        </Button>
      </Group>
    </Stack>
  );
}

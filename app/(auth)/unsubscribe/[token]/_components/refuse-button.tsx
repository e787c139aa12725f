'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';

type Props = { token: string; label: string };

/** The button that refuses a kind of mails. */
export function RefuseButton({ token, label }: Props) {
  const [state, setState] = useState<'open' | 'busy' | 'done' | 'failed'>('open');
  const ready = useMounted();
  const refuse = async () => {
    setState('busy');
    const response = await fetch(`/api/unsubscribe?token=${token}`, { method: 'POST' }).catch(() => null);
    setState(response?.ok ? 'done' : 'failed');
  };
  if (state === 'done')
    return (
      <Text size="sm" role="status">
        You get no more mails of the kind <b>{label}</b>. You can choose it again under Your account.
      </Text>
    );
  return (
    <Stack>
      {state === 'failed' && (
        <Alert color="red" role="alert">
          This did not work. Try again in a moment.
        </Alert>
      )}
      <Text size="sm">
        Stop mails of the kind <b>{label}</b>? All other mails still arrive.
      </Text>
      <Button fullWidth disabled={!ready} loading={state === 'busy'} onClick={() => void refuse()}>
        Stop these mails
      </Button>
    </Stack>
  );
}

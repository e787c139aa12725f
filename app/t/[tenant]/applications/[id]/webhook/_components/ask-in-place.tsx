'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Problem } from '../../../../_components/forms/form-end';

type Props = {
  button: string;
  size: 'xs' | 'compact-sm';
  title: string;
  text: ReactNode;
  verb: string;
  cancel: string;
  danger?: boolean;
  busy: boolean;
  error?: { message: string } | null;
  onGo: (close: () => void) => void;
};

/** A button that asks for a confirmation in its own place. */
export function AskInPlace(props: Props) {
  const { button, size, title, text, verb, cancel, danger = false, busy, error, onGo } = props;
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <Group>
        <Button variant="default" size={size} onClick={() => setAsking(true)}>
          {button}
        </Button>
      </Group>
    );
  }
  return (
    <Alert color={danger ? 'yellow' : 'gray'} title={title}>
      <Stack gap="sm">
        <Text size="sm">{text}</Text>
        <Problem error={error} />
        <Group gap="xs">
          <Button
            size="xs"
            color={danger ? 'red.9' : undefined}
            loading={busy}
            onClick={() => onGo(() => setAsking(false))}
            data-autofocus
            autoFocus
          >
            {verb}
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsking(false)}>
            {cancel}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

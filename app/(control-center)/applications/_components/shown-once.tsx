'use client';

import { Alert, Button, Checkbox, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './applications.module.css';
import { useLeaveWarning } from './use-leave-warning';

type Props = { what: string; warning: string; onClose: () => void; children: ReactNode };

/** A secret, the only time it is shown: the dialog is left after saying that it is stored. */
export function ShownOnce({ what, warning, onClose, children }: Props) {
  const [stored, setStored] = useState(false);
  const [asked, setAsked] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useLeaveWarning(true);
  const finish = () => {
    if (stored) return onClose();
    setAsked(true);
    box.current?.focus();
  };
  return (
    <Stack>
      <Alert color="yellow" icon={<IconEyeOff aria-hidden />}>
        {warning}
      </Alert>
      {children}
      <Checkbox
        ref={box}
        label={`I have stored this ${what}`}
        checked={stored}
        error={asked && !stored ? `Tick this once the ${what} is stored: it cannot be shown again.` : undefined}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={finish}>Done</Button>
      </Group>
    </Stack>
  );
}

type SecretProps = { label: string; text: string; copy: string; first?: boolean; children?: string | null };

/** A text that holds a secret, with a button to copy it. The first one gets the focus. */
export function Secret({ label, text, copy, first = false, children }: SecretProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The form that was here before had the focus, and is gone.
  useEffect(() => {
    if (first) button.current?.focus();
  }, [first]);
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={text} timeout={1500}>
          {({ copied, copy: put }) => (
            <Button
              ref={button}
              variant={first ? 'filled' : 'default'}
              size="compact-sm"
              leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              onClick={put}
              aria-label={copied ? 'Copied' : copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <code className={styles.secret}>{text}</code>
      {children && (
        <Text size="xs" c="dimmed">
          {children}
        </Text>
      )}
    </Stack>
  );
}

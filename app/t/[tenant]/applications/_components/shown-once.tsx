'use client';

import { Alert, Button, Checkbox, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLeaveWarning } from '../../_components/shell/leave-guard';
import styles from './applications.module.css';

type Props = { what: string; warning: string; onClose: () => void; children: ReactNode };

const lossOf = (what: string) => ({
  title: `Leave without storing this ${what}?`,
  text: `The ${what} is shown only once. If you leave before you store the ${what}, you must create a new ${what}.`,
  leave: `Leave without storing`,
});

/**
 * Shows a secret once. The Done button closes the dialog only after the user has confirmed that the secret is stored.
 */
export function ShownOnce({ what, warning, onClose, children }: Props) {
  const [stored, setStored] = useState(false);
  const [asked, setAsked] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useLeaveWarning(
    !stored,
    useMemo(() => lossOf(what), [what]),
  );
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
        error={asked && !stored ? `Confirm that you stored the ${what}. It cannot be shown again.` : undefined}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={finish}>Done</Button>
      </Group>
    </Stack>
  );
}

type SecretProps = { label: string; text: string; copy: string; first?: boolean; children?: string | null };

/** Text that contains a secret, with a copy button. If `first` is set, the button receives the focus. */
export function Secret({ label, text, copy, first = false, children }: SecretProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The form that had focus has been unmounted, so the first copy button receives the focus.
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

'use client';

import { Alert, Button, Checkbox, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useLeaveWarning } from '../../_components/shell/leave-guard';
import styles from './applications.module.css';

type Kind = 'key' | 'secret' | 'url' | 'codes';

type Props = { what: Kind; warning: string; onClose: () => void; children: ReactNode };

/** Shows a secret once. The Done button closes the dialog only after the user has confirmed that the secret is stored. */
export function ShownOnce({ what, warning, onClose, children }: Props) {
  const t = useTranslations('shownOnce');
  const [stored, setStored] = useState(false);
  const [asked, setAsked] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useLeaveWarning(
    !stored,
    useMemo(() => ({ title: t(`${what}.title`), text: t(`${what}.text`), leave: t('leave') }), [t, what]),
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
        label={t(`${what}.stored`)}
        checked={stored}
        error={asked && !stored ? t(`${what}.confirm`) : undefined}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={finish}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}

type SecretProps = { label: string; text: string; copy: string; first?: boolean; children?: string | null };

/** Text that contains a secret, with a copy button. If `first` is set, the button receives the focus. */
export function Secret({ label, text, copy, first = false, children }: SecretProps) {
  const t = useTranslations('shownOnce');
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
              aria-label={copied ? t('copied') : copy}
            >
              {copied ? t('copied') : t('copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <code className={styles.secret}>{text}</code>
      {children && <Hint size="xs">{children}</Hint>}
    </Stack>
  );
}

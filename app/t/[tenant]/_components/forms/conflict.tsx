'use client';

import { Alert, Button, Stack } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';

type Props = { action: string; disabled?: boolean; onAction: () => void; children: ReactNode };

/**
 * Tells a user with unsaved changes that another user has saved a newer version. Takes the focus when it appears.
 * `children` say what differs. The button brings the newer version into the form.
 */
export function Conflict({ action, disabled = false, onAction, children }: Props) {
  const t = useTranslations('common.form');
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // `useFocusAfterSave` moves a lost focus in the next frame, and leaves a focus that is not lost.
    notice.current?.focus();
  }, []);
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color="yellow"
      icon={<IconUsers aria-hidden />}
      title={t('conflict')}
    >
      <Stack gap="sm" align="flex-start">
        {children}
        <Button size="xs" disabled={disabled} onClick={onAction}>
          {action}
        </Button>
      </Stack>
    </Alert>
  );
}

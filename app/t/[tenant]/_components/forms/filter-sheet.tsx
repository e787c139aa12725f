'use client';

import { Button, Drawer, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

type Props = {
  opened: boolean;
  onClose: () => void;
  onClosed: () => void;
  onClear: (() => void) | null;
  children: ReactNode;
};

/** A sheet at the bottom edge of a narrow screen. Each change of its fields applies immediately. */
export function FilterSheet({ opened, onClose, onClosed, onClear, children }: Props) {
  const t = useTranslations('common.filters');
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      position="bottom"
      // The sheet is as high as its fields, at the bottom edge.
      styles={{ content: { height: 'auto', maxHeight: '85dvh' } }}
      title={t('title')}
    >
      <Stack gap="md" pb="env(safe-area-inset-bottom)">
        {children}
        {onClear && (
          <Button variant="default" size="md" onClick={onClear}>
            {t('clear')}
          </Button>
        )}
        <Button size="md" onClick={onClose}>
          {t('show')}
        </Button>
      </Stack>
    </Drawer>
  );
}

'use client';

import { Button, Drawer, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  opened: boolean;
  onClose: () => void;
  /** Called when the sheet has disappeared. */
  onClosed: () => void;
  onClear: (() => void) | null;
  children: ReactNode;
};

/** A sheet at the bottom edge of a narrow screen. Each change of its fields applies immediately. */
export function FilterSheet({ opened, onClose, onClosed, onClear, children }: Props) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      position="bottom"
      // The sheet is as high as its fields, at the bottom edge.
      styles={{ content: { height: 'auto', maxHeight: '85dvh' } }}
      title="Filters"
    >
      <Stack gap="md" pb="env(safe-area-inset-bottom)">
        {children}
        {onClear && (
          <Button variant="default" size="md" onClick={onClear}>
            Clear filters
          </Button>
        )}
        <Button size="md" onClick={onClose}>
          Show results
        </Button>
      </Stack>
    </Drawer>
  );
}

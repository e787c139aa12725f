'use client';

import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  opened: boolean;
  onClose: () => void;
  /** Called after the exit transition, so that the content does not change while the dialog fades out. */
  onClosed: () => void;
  title: string;
  /** Whether the dialog shows something that cannot be shown again; then only its own button closes it. */
  guarded?: boolean;
  children: ReactNode;
};

/** A dialog that changes the second factors. */
export function FactorDialog({ opened, onClose, onClosed, title, guarded = false, children }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      closeOnClickOutside={!guarded}
      closeOnEscape={!guarded}
      withCloseButton={!guarded}
      title={title}
      size="lg"
    >
      {children}
    </Modal>
  );
}

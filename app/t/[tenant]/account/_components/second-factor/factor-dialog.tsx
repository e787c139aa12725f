'use client';

import type { ReactNode } from 'react';
import { Dialog } from '../../../_components/dialogs/dialog';

type Props = {
  opened: boolean;
  onClose: () => void;
  /** Called after the exit transition so that the content does not change while the dialog fades out. */
  onClosed: () => void;
  title: string;
  /**
   * Whether the dialog shows recovery codes, which cannot be shown again. In this case, only the button below the codes
   * closes the dialog.
   */
  guarded?: boolean;
  children: ReactNode;
};

/** A dialog that changes the second factors. */
export function FactorDialog({ opened, onClose, onClosed, title, guarded = false, children }: Props) {
  return (
    <Dialog
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
    </Dialog>
  );
}

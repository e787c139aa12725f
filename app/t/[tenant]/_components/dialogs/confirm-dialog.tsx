'use client';

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormEnd, Problem } from '../forms/form-end';
import { Dialog } from './dialog';

type Props = {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** The label of the button that confirms. */
  action: string;
  danger?: boolean;
  /** Label of the button that cancels. Default: Cancel. */
  cancel?: string;
  /** The ID of an element in `children` with a warning. Screen readers read it with the button that confirms. */
  describedBy?: string;
  busy: boolean;
  problem: string | null;
  onConfirm: () => void;
  children: ReactNode;
};

/** A dialog that explains an action and asks the user to confirm it. */
export function ConfirmDialog(props: Props) {
  const { title, opened, onClose, action, danger, cancel, describedBy, busy, problem, onConfirm, children } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="lg">
      <Stack>
        {children}
        <Problem error={problem === null ? null : { message: problem }} />
        <FormEnd
          verb={action}
          danger={danger}
          cancel={cancel}
          describedBy={describedBy}
          busy={busy}
          onCancel={onClose}
          onGo={onConfirm}
        />
      </Stack>
    </Dialog>
  );
}

'use client';

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fields } from '../forms/form';
import { FormEnd, Problem } from '../forms/form-end';
import { Dialog } from './dialog';

type Props = {
  title: string;
  opened: boolean;
  onClose: () => void;
  action: string;
  danger?: boolean;
  cancel?: string;
  /** The ID of an element in `children` with a warning. Screen readers read it with the button that confirms. */
  describedBy?: string;
  /** The change that the dialog starts. Its error is shown, and forgotten when the dialog is closed. */
  change?: { isPending: boolean; error: { message: string } | null; reset: () => void };
  /** Whether the action runs, in addition to `change`. */
  busy?: boolean;
  /** Why the action failed, in place of the error of `change`. */
  problem?: string | null | undefined;
  onConfirm: () => void;
  children: ReactNode;
};

/** A dialog that explains an action and asks the user to confirm it. */
export function ConfirmDialog(props: Props) {
  const { title, opened, onClose, action, danger, cancel, describedBy, change, problem, onConfirm, children } = props;
  const busy = props.busy === true || change?.isPending === true;
  const close = () => {
    change?.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={title} size="lg">
      <Stack>
        <Fields busy={busy}>{children}</Fields>
        <Problem error={problem ?? change?.error} />
        <FormEnd
          verb={action}
          danger={danger}
          cancel={cancel}
          describedBy={describedBy}
          busy={busy}
          onCancel={close}
          onGo={onConfirm}
        />
      </Stack>
    </Dialog>
  );
}

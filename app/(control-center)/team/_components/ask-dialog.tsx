'use client';

import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  title: string;
  opened: boolean;
  onClose: () => void;
  action: string;
  dangerous?: boolean;
  busy: boolean;
  problem: string | null;
  onConfirm: () => void;
  children: ReactNode;
};

/** A confirmation dialog that explains an action. */
export function AskDialog(props: Props) {
  const { title, opened, onClose, action, dangerous = false, busy, problem, onConfirm, children } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      <Stack>
        {children}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color={dangerous ? 'red.9' : undefined} loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

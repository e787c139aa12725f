'use client';

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { holdLeaving, type Loss, letGo } from './leave-guard';

type Held = { loss: Loss; go: () => void };

/**
 * Asks for confirmation before the user leaves a page with unsaved input. The default button keeps the user on the
 * page.
 */
export function LeaveDialog() {
  const [opened, setOpened] = useState(false);
  const [held, setHeld] = useState<Held | null>(null);
  const goes = useRef(false);
  useEffect(
    () =>
      holdLeaving((loss, go) => {
        goes.current = false;
        setHeld({ loss, go });
        setOpened(true);
      }),
    [],
  );
  const leave = () => {
    goes.current = true;
    setOpened(false);
  };
  // Runs after the exit transition. By then, Mantine has returned the focus, so the next page keeps the focus that it
  // sets.
  const onClosed = () => {
    if (!goes.current) return;
    letGo();
    held?.go();
  };
  const stay = () => setOpened(false);
  return (
    <Modal
      opened={opened}
      onClose={stay}
      onExitTransitionEnd={onClosed}
      // `data-mantine-stop-propagation` keeps Escape from closing a dialog below this one. It also disables Mantine's
      // handler for this dialog, so `onKeyDown` closes it.
      closeOnEscape={false}
      onKeyDown={(event) => event.key === 'Escape' && stay()}
      title={held?.loss.title}
      zIndex={900}
    >
      <Stack>
        <Text size="sm">{held?.loss.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus data-mantine-stop-propagation="true">
            Stay on page
          </Button>
          <Button color="red.9" onClick={leave} data-mantine-stop-propagation="true">
            {held?.loss.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

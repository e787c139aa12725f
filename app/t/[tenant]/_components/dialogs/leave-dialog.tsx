'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { holdLeaving, type Loss, letGo } from '../shell/leave-guard';
import { Dialog } from './dialog';

type Held = { loss: Loss; go: () => void };

/** Asks before the user leaves a page with unsaved input. The default button keeps the user on the page. */
export function LeaveDialog() {
  const t = useTranslations('common.leave');
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
  // Leaves the page after the dialog's exit transition. By then, Mantine has returned the focus to this page. If the
  // page were left earlier, Mantine could take the focus away from an element on the next page.
  const onClosed = () => {
    if (!goes.current) return;
    letGo();
    held?.go();
  };
  const stay = () => setOpened(false);
  return (
    <Dialog
      opened={opened}
      onClose={stay}
      onExitTransitionEnd={onClosed}
      // Escape must not close another dialog below this one. The attribute `data-mantine-stop-propagation` on the
      // buttons therefore disables the Escape handlers that Mantine adds to dialogs. `onKeyDown` closes this dialog.
      closeOnEscape={false}
      onKeyDown={(event) => event.key === 'Escape' && stay()}
      title={held?.loss.title}
      zIndex={900}
    >
      <Stack>
        <Text size="sm">{held?.loss.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus data-mantine-stop-propagation="true">
            {t('stay')}
          </Button>
          <Button color="red.9" onClick={leave} data-mantine-stop-propagation="true">
            {held?.loss.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

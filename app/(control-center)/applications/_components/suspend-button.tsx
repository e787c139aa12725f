'use client';

import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { regainFocus } from '../../_components/focus-memory';
import { plural } from '../../_components/format';
import { useTRPC } from '../../_components/trpc';

type Target = { id: string; name: string; suspended: boolean; keys_in_use: number };

/** Suspends or resumes an application after a confirmation that explains the effects. */
export function SuspendButton({ application, compact = false }: { application: Target; compact?: boolean }) {
  const [opened, { open, close }] = useDisclosure();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { id, name, suspended } = application;
  const change = useMutation(
    trpc.applications.set_suspended.mutationOptions({
      onSuccess: () => {
        close();
        notifications.show({ message: suspended ? `${name} resumed.` : `${name} suspended.` });
        return queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
      },
    }),
  );
  const button = useRef<HTMLButtonElement>(null);
  useFocusOfLostRow(button, opened);
  const verb = suspended ? 'Resume' : 'Suspend';
  return (
    <>
      <Button
        ref={button}
        variant={compact ? 'subtle' : 'default'}
        color={compact ? 'gray' : undefined}
        c={compact ? 'var(--mantine-color-text)' : undefined}
        size={compact ? 'compact-sm' : 'sm'}
        aria-label={`${verb} ${name}`}
        onClick={() => {
          change.reset();
          open();
        }}
      >
        {verb}
      </Button>
      <Modal opened={opened} onClose={close} title={`${verb} ${name}?`} size="lg">
        <Stack>
          {suspended ? <ResumeEffects application={application} /> : <SuspendEffects application={application} />}
          {change.error && (
            <Alert color="red" role="alert">
              {change.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button
              color={suspended ? undefined : 'red.9'}
              loading={change.isPending}
              onClick={() => change.mutate({ application_id: id, suspended: !suspended })}
            >
              {verb} application
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

/** Restores the focus when a filtered list drops the row, and the button and the dialog with it. */
function useFocusOfLostRow(button: RefObject<HTMLButtonElement | null>, opened: boolean): void {
  const isOpen = useRef(opened);
  useLayoutEffect(() => {
    isOpen.current = opened;
  }, [opened]);
  useLayoutEffect(
    () => () => {
      const holder = document.activeElement;
      const hadFocus = isOpen.current || (holder !== null && holder === button.current);
      if (hadFocus) requestAnimationFrame(() => regainFocus(null));
    },
    [button],
  );
}

function SuspendEffects({ application }: { application: Target }) {
  return (
    <>
      <Text size="sm" fw={600}>
        What changes
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          All its keys ({plural(application.keys_in_use, 'key')} in use) are refused within a second, on every server:
          status 403, code <b>credential_restricted</b>, reason <b>suspended</b>.
        </List.Item>
        <List.Item>Its webhooks are paused. Events are held and delivered after you resume it.</List.Item>
      </List>
      <Text size="sm" fw={600}>
        What does not change
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>Its bookings are not affected.</List.Item>
        <List.Item>Its keys and its policy are kept. Other applications are not affected.</List.Item>
        <List.Item>You can resume it at any time.</List.Item>
      </List>
    </>
  );
}

function ResumeEffects({ application }: { application: Target }) {
  return (
    <List size="sm" spacing={4}>
      <List.Item>
        {plural(application.keys_in_use, 'key')} can be used again within a second, on every server, as its policy
        allows.
      </List.Item>
      <List.Item>Held webhook deliveries are sent, oldest first.</List.Item>
      <List.Item>Expired and revoked keys are still refused.</List.Item>
    </List>
  );
}

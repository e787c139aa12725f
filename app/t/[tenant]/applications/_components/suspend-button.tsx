'use client';

import { Button, List } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { regainFocus } from '../../_components/dialogs/focus';
import { plural } from '../../_components/format';
import { Points } from '../../_components/forms/form-end';
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
        fw={compact ? 400 : undefined}
        size={compact ? 'compact-sm' : 'sm'}
        aria-label={`${verb} ${name}`}
        onClick={() => {
          change.reset();
          open();
        }}
      >
        {verb}
      </Button>
      <ConfirmDialog
        title={`${verb} ${name}?`}
        opened={opened}
        onClose={close}
        action={`${verb} application`}
        danger={!suspended}
        busy={change.isPending}
        problem={change.error?.message ?? null}
        onConfirm={() => change.mutate({ application_id: id, suspended: !suspended })}
      >
        {suspended ? <ResumeEffects application={application} /> : <SuspendEffects application={application} />}
      </ConfirmDialog>
    </>
  );
}

/**
 * Restores the focus when the application's row is removed from a filtered list. The row contains this button and its
 * dialog, so the element with the focus is removed with the row.
 */
function useFocusOfLostRow(button: RefObject<HTMLButtonElement | null>, opened: boolean): void {
  const isOpen = useRef(opened);
  useLayoutEffect(() => {
    isOpen.current = opened;
  }, [opened]);
  useLayoutEffect(
    () => () => {
      const holder = document.activeElement;
      const hadFocus = isOpen.current || (holder !== null && holder === button.current);
      if (hadFocus) requestAnimationFrame(() => regainFocus());
    },
    [button],
  );
}

function SuspendEffects({ application }: { application: Target }) {
  const keys = plural(application.keys_in_use, 'key');
  return (
    <>
      <Points
        title="What changes"
        points={[
          `Within a second, requests with any of this application’s keys (${keys} in use) are refused with status 403, code credential_restricted, reason suspended.`,
          'Webhooks are paused. Events are held, and are delivered after you resume the application.',
        ]}
      />
      <Points
        title="What does not change"
        points={[
          'The application’s bookings are not affected.',
          'The application’s keys and policy are kept. Other applications are not affected.',
          'You can resume the application at any time.',
        ]}
      />
    </>
  );
}

function ResumeEffects({ application }: { application: Target }) {
  return (
    <List size="sm" spacing={4}>
      <List.Item>
        Within a second, {plural(application.keys_in_use, 'key')} can be used again. The policy still applies.
      </List.Item>
      <List.Item>Held webhook deliveries are sent, oldest first.</List.Item>
      <List.Item>Expired and revoked keys are still refused.</List.Item>
    </List>
  );
}

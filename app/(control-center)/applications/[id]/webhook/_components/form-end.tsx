'use client';

import { Alert, Button, Group, List, Text } from '@mantine/core';

/** What went wrong, once it did. */
export function Problem({ error }: { error: { message: string } | null }) {
  if (!error) return null;
  return (
    <Alert color="red" role="alert">
      {error.message}
    </Alert>
  );
}

type Props = {
  verb: string;
  busy: boolean;
  danger?: boolean;
  disabled?: boolean;
  onCancel: () => void;
  onGo?: () => void;
};

/**
 * The buttons at the end of a dialog; without `onGo` the second one submits the form around it. The dialog begins on the
 * safe one, unless a field before it asks for the focus.
 */
export function FormEnd({ verb, busy, danger = false, disabled = false, onCancel, onGo }: Props) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} data-autofocus>
        Cancel
      </Button>
      <Button
        type={onGo ? 'button' : 'submit'}
        color={danger ? 'red.9' : undefined}
        loading={busy}
        disabled={disabled}
        onClick={onGo}
      >
        {verb}
      </Button>
    </Group>
  );
}

/** What an action does, or what it leaves, point by point. */
export function Points({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" spacing={4}>
        {points.map((point) => (
          <List.Item key={point}>{point}</List.Item>
        ))}
      </List>
    </>
  );
}

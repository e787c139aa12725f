'use client';

import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { plural } from '../../_components/format';
import type { Outside } from './types';

type Props = {
  /** What kind of record it is: `service`. */
  what: 'service' | 'location' | 'specialist';
  name: string;
  published: boolean;
  outside: Outside | undefined;
  pending: boolean;
  problem: string | null;
  disabled: boolean;
  onConfirm: (published: boolean) => Promise<unknown>;
};

const STOPS: Record<Props['what'], string> = {
  service: 'Partners no longer see it within a second, and no new bookings of it can be made.',
  location: 'Partners no longer see it within a second, and nothing new can be booked there.',
  specialist: 'Partners no longer see them within a second, and nothing new can be booked with them.',
};

/** Publishes a record or takes it back, after saying exactly what stops and what does not. */
export function PublishButton({ what, name, published, outside, pending, problem, disabled, onConfirm }: Props) {
  const [opened, { open, close }] = useDisclosure();
  const verb = published ? 'Unpublish' : 'Publish';
  const confirm = () =>
    onConfirm(!published).then(close, () => {
      // Said in the dialog, which stays.
    });
  return (
    <>
      <Button variant={published ? 'default' : 'filled'} onClick={open} disabled={disabled}>
        {verb}
      </Button>
      <Modal opened={opened} onClose={close} title={`${verb} ${name}?`} size="lg">
        <Stack>
          {published ? (
            <WhatStops what={what} outside={outside} />
          ) : (
            <Text size="sm">
              Partners see it within a second, as far as it is offered by a published specialist at a published
              location.
            </Text>
          )}
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color={published ? 'red.9' : undefined} loading={pending} onClick={confirm}>
              {verb} {what}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function stayingText(upcoming: number): string {
  if (upcoming === 0) return 'It has no future bookings.';
  const stay = upcoming === 1 ? 'stays as it is' : 'stay as they are';
  return `${plural(upcoming, 'future booking')} of it ${stay}.`;
}

function WhatStops({ what, outside }: Pick<Props, 'what' | 'outside'>) {
  const upcoming = outside?.upcoming ?? 0;
  return (
    <>
      <Text size="sm" fw={600}>
        What stops
      </Text>
      <List size="sm">
        <List.Item>{STOPS[what]}</List.Item>
      </List>
      <Text size="sm" fw={600}>
        What does not
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>{stayingText(upcoming)}</List.Item>
        <List.Item>Partners can still read and cancel what they booked.</List.Item>
        <List.Item>Nothing is deleted. You can publish it again at any time.</List.Item>
      </List>
    </>
  );
}

'use client';

import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { plural } from '../../_components/format';
import type { KindName, Outside } from './types';

type Props = {
  kind: { name: KindName; unpublishEffect: string };
  name: string;
  published: boolean;
  outside: Outside | undefined;
  pending: boolean;
  problem: string | null;
  disabled: boolean;
  onConfirm: (published: boolean) => Promise<unknown>;
};

/** Publishes or unpublishes a record after a dialog that states the consequences. */
export function PublishButton({ kind, name, published, outside, pending, problem, disabled, onConfirm }: Props) {
  const [opened, { open, close }] = useDisclosure();
  const verb = published ? 'Unpublish' : 'Publish';
  const confirm = () =>
    onConfirm(!published).then(close, () => {
      // The dialog stays open and shows `problem`.
    });
  return (
    <>
      <Button variant={published ? 'default' : 'filled'} onClick={open} disabled={disabled}>
        {verb}
      </Button>
      <Modal opened={opened} onClose={close} title={`${verb} ${name}?`} size="lg">
        <Stack>
          {published ? (
            <Consequences effect={kind.unpublishEffect} upcoming={outside?.upcoming ?? 0} />
          ) : (
            <Text size="sm">
              Partners see it within a second if a published specialist offers it at a published location.
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
              {verb} {kind.name}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Consequences({ effect, upcoming }: { effect: string; upcoming: number }) {
  return (
    <>
      <Text size="sm" fw={600}>
        What changes
      </Text>
      <List size="sm">
        <List.Item>{effect}</List.Item>
      </List>
      <Text size="sm" fw={600}>
        What does not change
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          {upcoming === 0 ? 'It has no future bookings.' : `${plural(upcoming, 'future booking')} will be kept.`}
        </List.Item>
        <List.Item>Partners can still read and cancel existing bookings.</List.Item>
        <List.Item>Nothing is deleted. You can publish it again at any time.</List.Item>
      </List>
    </>
  );
}

'use client';

import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmDialog } from '../../_components/confirm-dialog';
import { Points } from '../../_components/form-end';
import { plural } from '../../_components/format';
import type { KindName, Outside } from './types';

type Props = {
  kind: { name: KindName; publishEffect: string; unpublishEffect: string };
  name: string;
  published: boolean;
  outside: Outside | undefined;
  pending: boolean;
  problem: string | null;
  disabled: boolean;
  onConfirm: (published: boolean) => Promise<unknown>;
};

/** The button that publishes or unpublishes a record. A dialog states the consequences before the change. */
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
      <ConfirmDialog
        title={`${verb} ${name}?`}
        opened={opened}
        onClose={close}
        action={`${verb} ${kind.name}`}
        danger={published}
        busy={pending}
        problem={problem}
        onConfirm={confirm}
      >
        {published ? (
          <Consequences effect={kind.unpublishEffect} upcoming={outside?.upcoming ?? 0} />
        ) : (
          <Text size="sm">{kind.publishEffect}</Text>
        )}
      </ConfirmDialog>
    </>
  );
}

function Consequences({ effect, upcoming }: { effect: string; upcoming: number }) {
  return (
    <>
      <Points title="What changes" points={[effect]} />
      <Points
        title="What does not change"
        points={[
          upcoming === 0 ? 'There are no future bookings.' : `${plural(upcoming, 'future booking')} will be kept.`,
          'Partners can still read and cancel existing bookings.',
          'Nothing is deleted. You can publish again at any time.',
        ]}
      />
    </>
  );
}

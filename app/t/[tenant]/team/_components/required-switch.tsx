'use client';

import { Paper, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

type Props = { required: boolean; youHaveOne: boolean };

/**
 * The switch that makes a second factor mandatory for every member. A dialog asks for confirmation before each change.
 */
export function RequiredSwitch({ required, youHaveOne }: Props) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const [opened, { open, close }] = useDisclosure();
  const change = useMutation(
    trpc.team.require_second_factor.mutationOptions({
      onSuccess: (now) => {
        close();
        return after(now.required ? 'A second factor is now required.' : 'A second factor is no longer required.');
      },
    }),
  );
  const cancel = () => {
    change.reset();
    close();
  };
  return (
    <Paper withBorder p="md" bg="var(--app-surface)">
      <Switch
        label="Require a second factor"
        description={
          required || youHaveOne
            ? 'Members without a second factor must set one up before they can use the Control Center.'
            : 'Set up your own second factor first, under Your account.'
        }
        checked={required}
        disabled={!required && !youHaveOne}
        onChange={open}
      />
      <ConfirmDialog
        title={required ? 'Stop requiring a second factor?' : 'Require a second factor?'}
        opened={opened}
        onClose={cancel}
        action={required ? 'Stop requiring second factor' : 'Require second factor'}
        danger={required}
        busy={change.isPending}
        problem={change.error?.message ?? null}
        onConfirm={() => change.mutate({ required: !required })}
      >
        <Points
          title="What happens"
          points={
            required
              ? [
                  'Members can remove their second factors.',
                  'Members who keep their second factor still need it to sign in.',
                ]
              : [
                  'Members without a second factor must set one up before they can use the Control Center, even if they are signed in now.',
                  'Partners and their keys are not affected.',
                ]
          }
        />
      </ConfirmDialog>
    </Paper>
  );
}

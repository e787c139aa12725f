'use client';

import { Paper, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

type Props = { required: boolean; youHaveOne: boolean };

/**
 * The switch that makes a second factor mandatory for every member. A dialog asks for confirmation before each change.
 */
export function RequiredSwitch({ required, youHaveOne }: Props) {
  const t = useTranslations('team.required');
  const trpc = useTRPC();
  const after = useTeamChange();
  const [opened, { open, close }] = useDisclosure();
  const change = useMutation(
    trpc.team.require_second_factor.mutationOptions({
      onSuccess: (now) => {
        close();
        return after(now.required ? t('on') : t('off'));
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
        label={t('switch')}
        description={required || youHaveOne ? t('hint') : t('ownFirst')}
        checked={required}
        disabled={!required && !youHaveOne}
        onChange={open}
      />
      <ConfirmDialog
        title={required ? t('offTitle') : t('onTitle')}
        opened={opened}
        onClose={cancel}
        action={required ? t('offAction') : t('onAction')}
        danger={required}
        busy={change.isPending}
        problem={change.error?.message ?? null}
        onConfirm={() => change.mutate({ required: !required })}
      >
        <Points
          title={t('effects')}
          points={required ? [t('mayRemove'), t('stillNeeded')] : [t('mustSetUp'), t('partners')]}
        />
      </ConfirmDialog>
    </Paper>
  );
}

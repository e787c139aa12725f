'use client';

import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { useTRPC } from '../../_components/trpc';
import { AffectedDialog, NOTHING_SEEN, useAffected } from '../../catalog/_components/affected-dialog';

/** The button that undoes the change of an audit entry, after a confirmation. */
export function UndoButton({ id }: { id: string }) {
  const t = useTranslations('audit.undo');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const affected = useAffected();
  const undo = useMutation(
    trpc.audit.undo.mutationOptions({
      onSuccess: async (result) => {
        close();
        if ('affected' in result) return affected.show(result.affected);
        affected.close();
        notifications.show({ message: t('done') });
        await queries.invalidateQueries();
      },
    }),
  );
  const run = (confirmed: string) => undo.mutate({ entry_ids: [id], confirmed });
  const ask = () => {
    undo.reset();
    open();
  };
  return (
    <>
      <Button variant="default" size="compact-xs" mt={4} onClick={ask}>
        {t('button')}
      </Button>
      <ConfirmDialog
        title={t('title')}
        opened={opened}
        onClose={close}
        action={t('confirm')}
        busy={undo.isPending}
        problem={undo.error?.message ?? null}
        onConfirm={() => run(NOTHING_SEEN)}
      >
        <Text size="sm">{t('text')}</Text>
      </ConfirmDialog>
      <AffectedDialog state={affected} busy={undo.isPending} problem={undo.error?.message} onConfirm={run} />
    </>
  );
}

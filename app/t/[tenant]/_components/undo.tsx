import { Button, Group } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';

/** Shows what was done, with a button that undoes it. `undo` returns why it did not, or null. */
export function showUndo(message: string, undo: () => Promise<string | null>) {
  const id = randomId();
  notifications.show({ id, autoClose: 10_000, message: <UndoMessage {...{ id, message, undo }} /> });
}

type Props = { id: string; message: string; undo: () => Promise<string | null> };

function UndoMessage({ id, message, undo }: Props) {
  const t = useTranslations('common.undo');
  const run = async () => {
    notifications.hide(id);
    const problem = await undo();
    notifications.show({ message: problem === null ? t('done') : t('failed', { problem }) });
  };
  return (
    <Group justify="space-between" wrap="nowrap">
      {message}
      <Button variant="default" size="compact-sm" onClick={() => void run()}>
        {t('undo')}
      </Button>
    </Group>
  );
}

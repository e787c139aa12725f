import { Button, Group } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';

/** Shows what was done, with a button that undoes it. `undo` returns why it did not, or null. */
export function showUndo(message: string, undo: () => Promise<string | null>) {
  const id = randomId();
  const run = async () => {
    notifications.hide(id);
    const problem = await undo();
    notifications.show({ message: problem === null ? 'Undone.' : `Not undone: ${problem}` });
  };
  notifications.show({
    id,
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button variant="default" size="compact-sm" onClick={() => void run()}>
          Undo
        </Button>
      </Group>
    ),
  });
}

import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import { NOTHING_SEEN } from '../catalog/_components/records/affected-dialog';
import { useTRPC, useTRPCClient } from './trpc';
import { showUndo } from './undo';
import { useDone } from './use-done';

/** Returns a function that shows what was done, with a button that undoes the changes of the audit entries `ids`. */
export function useUndo() {
  const t = useTranslations('common.undo');
  const trpc = useTRPC();
  const { audit } = useTRPCClient();
  const done = useDone(trpc.catalog);
  return (message: string, ids: readonly string[]) => {
    if (ids.length === 0) return void notifications.show({ message });
    showUndo(message, async () => {
      const problem = await audit.undo.mutate({ entry_ids: [...ids], confirmed: NOTHING_SEEN }).then(
        (result) => ('affected' in result ? t('affects') : null),
        (error: { message: string }) => error.message,
      );
      await done();
      return problem;
    });
  };
}

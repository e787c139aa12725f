'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../../_components/dialogs/dialog';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { Secret, ShownOnce } from '../../../applications/_components/shown-once';

type Props = {
  opened: boolean;
  title: string;
  codes: readonly string[] | null | undefined;
  onClose: () => void;
  onClosed: () => void;
  children: ReactNode;
};

/** A dialog that changes a second factor, and then shows the new recovery codes once, if there are any. */
export function FactorDialog({ opened, title, codes, onClose, onClosed, children }: Props) {
  const t = useTranslations('account.factor');
  return (
    <Dialog
      size="lg"
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      title={codes ? t('storeCodes') : title}
      guarded={Boolean(codes)}
    >
      {codes ? (
        <ShownOnce what="codes" warning={t('codesWarning')} onClose={onClose}>
          <Secret label={t('codes')} text={codes.join('\n')} copy={t('copyCodes')} first />
        </ShownOnce>
      ) : (
        children
      )}
    </Dialog>
  );
}

/** Returns a function that shows a message about a change, and reloads the second factors and the sessions, which it ended. */
export function useFactorChange() {
  const trpc = useTRPC();
  return useDone(trpc.second_factor, trpc.session);
}

'use client';

import { useTranslations } from 'use-intl';
import { Secret, ShownOnce } from '../../../applications/_components/shown-once';

/** Shows new recovery codes once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTranslations('account.factor');
  return (
    <ShownOnce what="codes" warning={t('codesWarning')} onClose={onClose}>
      <Secret label={t('codes')} text={codes.join('\n')} copy={t('copyCodes')} first />
    </ShownOnce>
  );
}

'use client';

import { Secret, ShownOnce } from '../../../applications/_components/shown-once';

/** Shows new recovery codes once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <ShownOnce
      what="list of codes"
      warning="These codes are shown only once. Each of them replaces your second factor once, if you lose it. Store them apart from your password, for example on paper."
      onClose={onClose}
    >
      <Secret label="Recovery codes" text={codes.join('\n')} copy="Copy recovery codes" first />
    </ShownOnce>
  );
}

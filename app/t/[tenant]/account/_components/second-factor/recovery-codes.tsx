'use client';

import { Secret, ShownOnce } from '../../../applications/_components/shown-once';

/** Shows new recovery codes once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <ShownOnce
      what="list of codes"
      warning="These codes are shown only once. If you lose your second factor, you can sign in with one of these codes. Each code works once. Keep the codes separate from your password, for example on paper."
      onClose={onClose}
    >
      <Secret label="Recovery codes" text={codes.join('\n')} copy="Copy recovery codes" first />
    </ShownOnce>
  );
}

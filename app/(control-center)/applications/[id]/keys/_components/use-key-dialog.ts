'use client';

import type { RefObject } from 'react';
import type { IssuedKey, KeyRow } from '../../../../_components/api-types';
import { type GuardedDialog, useGuardedDialog } from '../../../_components/use-guarded-dialog';

/** What a dialog is about. */
export type KeyAct = { kind: 'issue' } | { kind: 'rotate'; key: KeyRow } | { kind: 'revoke'; key: KeyRow };

/** The one dialog of the page of keys, and the key it may be showing. */
export type KeyDialogState = GuardedDialog<KeyAct, IssuedKey>;

/** The dialog's state; see `useGuardedDialog`. */
export function useKeyDialog(fallback: RefObject<HTMLElement | null>): KeyDialogState {
  return useGuardedDialog<KeyAct, IssuedKey>(fallback);
}

'use client';

import type { RefObject } from 'react';
import type { IssuedKey, KeyRow } from '../../../../_components/api-types';
import { type GuardedDialog, useGuardedDialog } from '../../../_components/use-guarded-dialog';

/** The action that the dialog performs: issue a key, or rotate or revoke an existing key. */
export type KeyAct = { kind: 'issue' } | { kind: 'rotate'; key: KeyRow } | { kind: 'revoke'; key: KeyRow };

/** The state of the dialog on the keys page, and the new key that the dialog shows. */
export type KeyDialogState = GuardedDialog<KeyAct, IssuedKey>;

/** Returns the dialog's state. `useGuardedDialog` describes the parameter `fallback`. */
export function useKeyDialog(fallback: RefObject<HTMLElement | null>): KeyDialogState {
  return useGuardedDialog<KeyAct, IssuedKey>(fallback);
}

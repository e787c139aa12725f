import type pg from 'pg';
import { type Accounts, SAME_ACCOUNT } from '../accounts';

/**
 * What a move has decided for each account of a member. An account that the target already had is in `kept` (see
 * `Accounts`), and the move does not change it. The set `own` contains the ids of the accounts that the move copies to
 * the target. When one of these changes in the source, the move updates the copy.
 */
export type MovedAccounts = Accounts & { own: Set<string> };

/** `MovedAccounts` in a form that can be stored as JSON. */
export type StoredAccounts = { kept: string[]; ids: [string, string][]; own: string[] };

export const storedAccounts = ({ kept, ids, own }: MovedAccounts): StoredAccounts => ({
  kept: [...kept],
  ids: [...ids],
  own: [...own],
});

export const accountsOf = ({ kept, ids, own }: StoredAccounts): MovedAccounts => ({
  kept: new Set(kept),
  ids: new Map(ids),
  own: new Set(own),
});

/**
 * Decides for each changed account whether the move copies it to the target database. The move does not copy it if the
 * target has the same account (`SAME_ACCOUNT`). Adds the decisions to `accounts`, and skips accounts that
 * are already in it.
 * @param rows the temporary table with the changed rows of `users`.
 */
export async function placeAccounts(target: pg.Client, rows: string, accounts: MovedAccounts): Promise<void> {
  const { rows: found } = await target.query<{ id: string; here: string | null }>(
    `SELECT m.id, (${SAME_ACCOUNT}) AS here FROM ${rows} m ORDER BY 1`,
  );
  for (const { id, here } of found) {
    if (accounts.kept.has(id) || accounts.own.has(id)) continue;
    if (here === null) accounts.own.add(id);
    else accounts.kept.add(id);
    if (here !== null && here !== id) accounts.ids.set(id, here);
  }
}

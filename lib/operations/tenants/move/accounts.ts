import type pg from 'pg';
import type { Accounts } from '../accounts';

/**
 * What a move has decided for each account of a member. If the target already had such an account, the target keeps it
 * (`kept` and `ids`, see `Accounts`). Otherwise, the move copied the account, and `own` contains its id. If such an
 * account changes in the source later, the move updates the copy.
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
 * Decides about each changed account that is not yet in `accounts`, and adds the decision to `accounts`. If the target
 * database has an account with the same email address or id, it keeps that account. Otherwise, the move copies the
 * account to the target.
 * @param rows the temporary table with the changed rows of `users`.
 */
export async function placeAccounts(target: pg.Client, rows: string, accounts: MovedAccounts): Promise<void> {
  const { rows: found } = await target.query<{ id: string; here: string | null }>(
    `SELECT m.id, (SELECT u.id FROM users u WHERE u.email = m.email OR u.id = m.id ORDER BY u.email = m.email DESC LIMIT 1) AS here
     FROM ${rows} m ORDER BY 1`,
  );
  for (const { id, here } of found) {
    if (accounts.kept.has(id) || accounts.own.has(id)) continue;
    if (here === null) accounts.own.add(id);
    else accounts.kept.add(id);
    if (here !== null && here !== id) accounts.ids.set(id, here);
  }
}

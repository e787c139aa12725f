import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Prisma models of accounts. Their tables have no row-level security policies, because an account can belong to several
 * tenants.
 */
const ACCOUNTS = new Set(['user', 'totpFactor', 'passkey']);

test('outside of transactions, findUnique is used only for accounts, and no transaction is a batch', async () => {
  // If several `findUnique` calls are made outside of transactions and in the same turn of the event loop, Prisma
  // combines them into one query, even if they are for different tenants. It also sends all batches of the turn in the
  // scope of the first one (decision 27).
  const found: string[] = [];
  for (const file of await readdir('lib', { recursive: true })) {
    if (!file.endsWith('.ts') || file.includes('generated')) continue;
    const text = await readFile(join('lib', file), 'utf8');
    for (const [call, by, model = ''] of text.matchAll(/\b(\w+)(?:\(\))?\.(\w+)\.findUnique/g))
      if (by !== 'tx' && !ACCOUNTS.has(model)) found.push(`${file}: ${call}`);
    if (/\$transaction\(\s*\[/.test(text)) found.push(`${file}: $transaction([`);
  }
  expect(found).toEqual([]);
});

import { afterAll, expect, test } from 'vitest';
import { createSetupLink, setupLinkWorks } from '@/lib/operations/setup';
import { freshAddress } from '@/tests/support/client';
import { ownDatabase } from '@/tests/support/own-database';

process.env.ENVIRONMENT = 'LIVE';
const database = await ownDatabase();

afterAll(database.drop);

test('instances that start at the same time all get a link, and the last link works', async () => {
  const now = new Date();
  for (let round = 0; round < 5; round++) {
    await database.query('DELETE FROM setup_link');
    const tokens = await Promise.all(Array.from({ length: 8 }, () => createSetupLink(now)));
    const valid = await Promise.all(tokens.map((token) => setupLinkWorks(token ?? '', freshAddress(), now)));
    expect(valid.filter(Boolean)).toHaveLength(1);
  }
});

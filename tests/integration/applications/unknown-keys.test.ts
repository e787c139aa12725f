import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashKey } from '@/lib/access/applications/key-format';
import { policyOfHash } from '@/lib/access/applications/policy';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { recordStatements } from '@/tests/support/statements';

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(() => database.drop());

test('keys that do not exist share queries, and a key among them is found', async () => {
  const { key, keyId } = await makeApplication((await makeTenant()).id);
  const hash = hashKey(key).toString('base64');
  const unknown = Array.from({ length: 500 }, () => randomBytes(32).toString('base64'));
  const { result, sent } = await recordStatements(() => Promise.all([hash, ...unknown].map(policyOfHash)));
  const [found, ...others] = result;
  expect(found).toMatchObject({ keyId });
  expect(new Set(others)).toEqual(new Set([null]));
  // All keys share one query. A few more queries load the policy of the key that exists.
  expect(sent.length).toBeLessThanOrEqual(10);
});

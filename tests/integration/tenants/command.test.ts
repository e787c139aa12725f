import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withClient } from '@/lib/operations/environment/connection';
import { readSecretState } from '@/lib/operations/environment/secret-state';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { parseCommand } from '@/scripts/tenant/command';
import { runCommand } from '@/scripts/tenant/run';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { ownDatabase } from '@/tests/support/own-database';

process.env.ENVIRONMENT = 'LIVE';
const database = await ownDatabase();

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
  await database.drop();
});

test('the command adds, suspends, lists, exports, and deletes tenants of a LIVE database, and keeps the link out of its output', async () => {
  const DATA_DIR = await freshDataDir();
  const live = { DATA_DIR, ENVIRONMENT: 'LIVE', DATABASE_URL: database.url, SECRET_KEY: env().SECRET_KEY };
  const said: string[] = [];
  const command = (...args: string[]) => {
    const { signal } = new AbortController();
    const say = (line: string) => said.push(line);
    return runCommand(parseCommand(args), {
      ...{ dataDir: DATA_DIR, ownerUrl: database.url, now: new Date(), signal, say },
    });
  };
  const options = ['--time-zone', 'Europe/Berlin', '--languages', 'de', '--owner', 'olivia@harbour.example'];
  const adding = launch(live, ['tenant', 'add', '--name', 'Harbour Hair', ...options]);
  expect(await adding.ended()).toBe(0);
  const added = adding.output();
  const [, id = ''] = /^Added Harbour Hair \((ten_\w{26})\)\.$/m.exec(added) ?? [];
  const [, link = ''] = /is in (.*invitation-inv_\w{26})\. It works once, until /.exec(added) ?? [];
  expect(link.startsWith(join(DATA_DIR, 'invitation-'))).toBe(true);
  expect((await stat(link)).mode & 0o777).toBe(0o600);
  expect(added).not.toContain('/invite/');
  await withClient(database.url, readSecretState);
  expect(await command('suspend', id)).toBe(
    `Harbour Hair (${id}) is suspended. Every server applies this within one second.`,
  );
  await expect(command('resume', newId('ten'))).rejects.toThrow(
    'There is no tenant with this ID. To see the IDs, run npm run tenant -- list.',
  );
  expect((await command('list', 'harbour')).split('\n')[1]).toMatch(
    new RegExp(`^${id} {2}suspended since .*Z +\\d{4}-\\d\\d-\\d\\d +0 +0 +Harbour Hair$`),
  );
  const exported = await command('export', id, join(DATA_DIR, 'harbour.gz'), '--readable');
  expect(exported).toMatch(
    /harbour\.gz: Harbour Hair \(ten_\w{26}\), \d+ rows in \d+ tables, signed by [\w-]{43}\. The file contains contacts in plain text/,
  );
  const deleting = launch(live, ['tenant', 'delete', id, '--confirm', 'Harbour Hair']);
  await deleting.saying('for running requests');
  deleting.interrupt('SIGKILL');
  await deleting.ended();
  const { rows } = await database.query('SELECT action, actor_kind FROM audit_log ORDER BY id');
  expect(rows.map(({ action, actor_kind }) => `${action} ${actor_kind}`)).toEqual([
    'tenant.created operator',
    'invitation.created operator',
    'tenant.suspended operator',
    'tenant.exported operator',
  ]);
  // `delete` waits until `began_at` is 15 seconds ago. This statement makes it 15 seconds earlier to avoid the wait.
  await database.query(
    `SET session_replication_role = replica; UPDATE tenant_deletions SET began_at = began_at - interval '15 s'`,
  );
  const deleted = await command('delete', id, '--confirm', 'Harbour Hair');
  expect(deleted).toMatch(/^Harbour Hair \(ten_\w{26}\) is deleted: \d+ rows in \d+ tables\.$/);
  expect(said).toEqual(expect.arrayContaining(['cache_versions: 1 deleted', 'audit_log: 4 deleted']));
  expect((await database.query('SELECT FROM tenants')).rowCount).toBe(0);
}, 180_000);

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBooking } from '@/lib/contract/operations';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { importTenant } from '@/lib/operations/tenants/import';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { parseCommand } from '@/scripts/tenant/command';
import { runCommand } from '@/scripts/tenant/run';
import { BOOKINGS, dayAhead, makeDesk, post } from '@/tests/support/bookings';
import { createClient, type Reply } from '@/tests/support/client';
import { asDatabaseOwner, createDatabase, openPool } from '@/tests/support/database';
import { startServer } from '@/tests/support/server';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';

const { signal } = new AbortController();

type Write = { key: string; body: unknown; reply: Reply<unknown> };

test('while a tenant is moving, partners get a 503, and no write that succeeded is lost', async () => {
  const [here, target] = [sharedServer(), await createDatabase()];
  await claimEnvironment(target.url, { environment: 'TEST', secretKey: env().SECRET_KEY });
  const there = await startServer({ databaseUrl: target.url });
  const directory = await mkdtemp(join(tmpdir(), 'moving-'));
  const superuser = openPool(target.adminUrl);
  try {
    const { tenant, key, body } = await makeDesk({ specialists: 4 });
    const context = {
      dataDir: directory,
      ownerUrl: asDatabaseOwner(here.databaseUrl),
      now: new Date(),
      signal,
      say: () => {},
      settle: 2_000,
    };
    const run = (...args: string[]) => runCommand(parseCommand(args), context);
    const send = (origin: string, write: Pick<Write, 'key' | 'body'>) =>
      post(createClient({ origin, key }), BOOKINGS, createBooking, write.body, { key: write.key });

    const writes: Write[] = [];
    let slots = 0;
    const writer = async () => {
      for (;;) {
        const day = slots++;
        const write = { key: randomUUID(), body: body('10:00', { date: dayAhead(2 + day) }) };
        const reply = await send(here.origin, write);
        if (reply.status === 503) return reply;
        expect(reply.status).toBe(201);
        writes.push({ ...write, reply });
        await delay(50);
      }
    };
    const writing = Promise.all([writer(), writer()]);
    await until(
      () => Promise.resolve(writes.length),
      (count) => count >= 4,
    );
    expect(await run('suspend', tenant.id, '--moving')).toContain('is ready to be exported');
    for (const refused of await writing)
      expect([refused.error.code, refused.headers['retry-after']]).toEqual(['service_unavailable', '10']);
    expect(await run('list')).toMatch(new RegExp(`^${tenant.id} {2}moving since `, 'm'));

    const file = join(directory, 'moving.gz');
    await run('export', tenant.id, file);
    await importTenant(new Date(), target.url, file, signal);
    await superuser.query('UPDATE tenants SET suspended_at = NULL WHERE id = $1', [tenant.id]);
    for (const write of writes) {
      const replayed = await send(there.origin, write);
      expect([replayed.status, replayed.data]).toEqual([201, write.reply.data]);
      expect(replayed.headers['idempotent-replayed']).toBe('true');
    }
    const { rows } = await superuser.query('SELECT count(*)::int AS count FROM bookings WHERE tenant_id = $1', [
      tenant.id,
    ]);
    expect(rows).toEqual([{ count: writes.length }]);

    const entries = await db().auditLog.findMany({ where: { action: 'tenant.suspended', tenantId: tenant.id } });
    expect(entries.map(({ after }) => after)).toEqual([{ suspended: true, moving: true }]);
    expect(await run('resume', tenant.id)).toContain('is active');
    const state = await db().tenant.findUnique({ where: { id: tenant.id } });
    expect(state).toMatchObject({ suspendedAt: null, movingSince: null });
  } finally {
    await there.stop();
    await Promise.all([superuser.end(), rm(directory, { recursive: true })]);
    await target.drop();
  }
});

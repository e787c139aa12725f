import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { makeControlCenter, makeMember, POLICY } from './applications-people';

type Line = { id: string; at: string; action: string } & Record<string, unknown>;
type Page = { lines: Line[]; previous: string | null; next: string | null };

async function makeLog(policy?: Parameters<typeof makeControlCenter>[0]) {
  const controlCenter = await makeControlCenter(policy);
  const list = async (input: object = {}) => {
    const reply = await controlCenter.owner.query('audit.list', input);
    expect(reply).toMatchObject({ status: 200 });
    return reply.data as Page;
  };
  return {
    ...controlCenter,
    list,
    actions: async (input: object) => (await list(input)).lines.map(({ action }) => action),
  };
}

test('returns actor, object, before and after of each change, newest first', async () => {
  const { owner, applicationId, keyId, list } = await makeLog({ name: 'Before' });
  await owner.mutate('applications.update', {
    application_id: applicationId,
    expected_version: 1,
    ...POLICY,
    quota: 30,
  });
  const { lines } = await list();
  expect(lines[0]).toMatchObject({
    action: 'application.policy_changed',
    actor_kind: 'owner',
    actor_name: 'Olivia Owner',
    object_kind: 'application',
    object_id: applicationId,
    object_name: POLICY.name,
    before: { name: 'Before', quota: 100_000 },
    after: { name: POLICY.name, quota: 30 },
  });
  expect(lines.slice(1)).toMatchObject([
    {
      action: 'key.issued',
      actor_kind: 'system',
      actor_name: null,
      object_id: keyId,
      object_name: 'Key',
      before: null,
    },
    { action: 'application.created', before: null },
  ]);
});

test('filters by person, object and time', async () => {
  const { tenant, owner, applicationId, keyId, actions, list } = await makeLog();
  const second = await makeMember(tenant.id, 'OWNER', 'Second Owner');
  await owner.mutate('applications.set_suspended', { application_id: applicationId, suspended: true });
  await second.mutate('applications.set_suspended', { application_id: applicationId, suspended: false });
  const {
    people,
    actions: known,
    kinds,
  } = (await owner.query('audit.choices')).data as {
    people: { id: string; name: string }[];
    actions: string[];
    kinds: string[];
  };
  expect(people.map(({ name }) => name)).toEqual(['Olivia Owner', 'Second Owner']);
  expect(kinds).toEqual(['application', 'key']);
  expect(await actions({ person: people[0]?.id })).toEqual(['application.suspended']);
  expect(await actions({ person: people[1]?.id })).toEqual(['application.resumed']);
  expect(await actions({ person: 'system' })).toEqual(['key.issued', 'application.created']);
  expect(known).toEqual(['application.created', 'application.resumed', 'application.suspended', 'key.issued']);
  expect(await actions({ action: 'application.resumed' })).toEqual(['application.resumed']);
  expect(await actions({ action: 'application.resumed', person: 'system' })).toEqual([]);
  expect(await actions({ object_kind: 'key' })).toEqual(['key.issued']);
  expect(await actions({ object_id: keyId })).toEqual(['key.issued']);
  expect(await actions({ object_id: applicationId, person: 'system' })).toEqual(['application.created']);
  const resumed = (await list()).lines[0]?.at;
  expect(await actions({ from: resumed })).toEqual(['application.resumed']);
  expect(await actions({ to: resumed })).toHaveLength(3);
  expect(await actions({ object_id: 'nothing' })).toEqual([]);
});

test('pages forward and back over equal timestamps without gaps or duplicates', async () => {
  const { tenant, list, owner } = await makeLog();
  const data = Array.from({ length: 118 }, (_, n) => ({
    id: newId('aud'),
    at: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(n / 7))),
    tenantId: tenant.id,
    actorKind: 'system',
    action: 'thing.done',
    objectKind: 'thing',
    objectId: 'thing',
  }));
  await db().auditLog.createMany({ data });
  const pages: Page[] = [await list()];
  while (pages.at(-1)?.next) pages.push(await list({ cursor: pages.at(-1)?.next }));
  expect(pages.map(({ lines }) => lines.length)).toEqual([50, 50, 20]);
  expect(new Set(pages.flatMap(({ lines }) => lines.map(({ id }) => id))).size).toBe(120);
  const back = await list({ cursor: pages[2]?.previous, back: true });
  expect(back.lines).toEqual(pages[1]?.lines);
  expect(await owner.query('audit.list', { cursor: 'x' })).toMatchObject({ error: { reason: 'cursor_mismatch' } });
});

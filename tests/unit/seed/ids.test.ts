import { fromString, toUUID } from 'typeid-js';
import { expect, test } from 'vitest';
import { APPLICATIONS } from '@/lib/operations/sandbox/seed/applications';
import { PEOPLE, TENANT } from '@/lib/operations/sandbox/seed/business';
import { sandboxCatalog } from '@/lib/operations/sandbox/seed/catalog';
import { sandboxId } from '@/lib/operations/sandbox/seed/ids';
import { type IdPrefix, idBound, isId, newId, timeOfId } from '@/lib/platform/ids';

const rows = sandboxCatalog(new Date('2026-03-04T10:00:00Z'));

const IDS: [IdPrefix, string[]][] = [
  ['ten', [TENANT.id]],
  ['usr', [PEOPLE.owner.id, PEOPLE.support.id]],
  ['app', APPLICATIONS.map(({ id }) => id)],
  ['loc', rows.locations.map(({ id }) => id)],
  ['svc', rows.services.map(({ id }) => id)],
  ['spc', rows.specialists.map(({ id }) => id)],
];

test.each(IDS)('%s ids are valid and unique', (prefix, ids) => {
  expect(ids.filter((id) => !isId(prefix, id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids are stable across resets', () => {
  expect(TENANT.id).toBe('ten_01jgfjjzz8e008000000000001');
  expect(rows.services[0]?.id).toBe(sandboxId('svc', 101));
  expect(rows.services[0]?.id).toBe('svc_01jgfjp1m8e008000000000035');
});

test('ids sort by number and before ids generated at run time', () => {
  const ids = [1, 2, 10, 99, 100, 101, 702, 99_999].map((number) => sandboxId('svc', number));
  expect([...ids].sort()).toEqual(ids);
  expect(sandboxId('svc', 99_999) < newId('svc')).toBe(true);
});

test('services and applications are listed in the order of their ids', () => {
  for (const ids of [
    rows.services.map(({ id }) => id),
    rows.locations.map(({ id }) => id),
    APPLICATIONS.map(({ id }) => id),
  ]) {
    expect([...ids].sort()).toEqual(ids);
  }
});

test('new ids are UUIDv7 in base32, unique, and ascending', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('req'));
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  const odd = ids.filter(
    (id) => !isId('req', id) || !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(toUUID(fromString(id))),
  );
  expect(odd).toEqual([]);
});

test('the bound of a time separates the ids created before it from those created from then on', () => {
  const [before, id, after] = [Date.now(), newId('req'), Date.now()];
  expect(idBound('req', new Date(before)) <= id).toBe(true);
  expect(id < idBound('req', new Date(after + 1))).toBe(true);
  expect(idBound('req', new Date(0))).toBe('req_0000000000');
  const day = new Date('2026-11-22T00:00:00.000Z');
  expect(timeOfId(idBound('req', day))).toEqual(day);
  expect(timeOfId(id).getTime()).toBeGreaterThanOrEqual(before);
  expect(timeOfId(id).getTime()).toBeLessThanOrEqual(after);
});

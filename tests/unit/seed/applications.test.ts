import { expect, test } from 'vitest';
import { APPLICATIONS } from '@/lib/operations/sandbox/seed/applications';
import { sandboxCatalog } from '@/lib/operations/sandbox/seed/catalog';

const READ = ['catalog.read', 'availability.read'];

test('the five applications are in the documented order', () => {
  const [full, reader, restricted, elsewhere, second, ...more] = APPLICATIONS;
  expect(more).toEqual([]);
  expect(full).toMatchObject({ allLocations: true, locationIds: [], origins: [], networks: [] });
  expect(full?.scopes).toEqual([...READ, 'booking.create', 'booking.manage', 'webhooks.manage']);
  expect(reader).toMatchObject({ scopes: READ, allLocations: true, origins: [], networks: [] });
  expect(restricted).toMatchObject({
    scopes: READ,
    allLocations: false,
    locationIds: ['loc_01jgfjjzz8e008000000000001'],
    origins: ['https://partner.example'],
    networks: ['127.0.0.0/8', '::1'],
  });
  expect(elsewhere).toMatchObject({ scopes: READ, allLocations: true, networks: ['203.0.113.0/24'] });
  expect(second).toMatchObject({ scopes: full?.scopes, allLocations: true, origins: [], networks: [] });
});

test('the location of the restricted application is published', () => {
  const [first] = sandboxCatalog(new Date()).locations;
  expect(first).toMatchObject({ id: APPLICATIONS[2]?.locationIds[0], published: true });
});

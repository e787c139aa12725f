import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { makeBusiness } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { GENERATED } from './client-types';
import { walk } from './journey';

test('the generated types and the published client match the current contract', async () => {
  for (const { file, generate } of GENERATED) expect(readFileSync(file, 'utf8'), file.pathname).toBe(await generate());
});

test('a generated client gets from the catalog to a cancellation, despite one lost response', async () => {
  const { key, service, location } = await makeBusiness();
  const { booked, read, moved, gone, replayed, sends } = await walk(sharedServer().origin + BASE_PATH, key);
  expect({ replayed, sends }).toEqual({ replayed: true, sends: 2 });
  expect(booked).toMatchObject({ version: 1, status: 'confirmed', service_id: service.id, location_id: location.id });
  expect(read).toEqual(booked);
  expect(moved).toMatchObject({ reference: booked.reference, version: 2, status: 'confirmed' });
  expect(moved.starts_at).not.toBe(booked.starts_at);
  expect(gone).toMatchObject({ version: 3, status: 'cancelled', cancelled_by: 'partner' });
});

import { expect, test } from 'vitest';
import { bind, join, nullable, param, type Sql, sql, statement } from '@/lib/platform/sql';

const OF_TENANT = sql`tenant_id = ${param.text('tenantId')}`;
const FIND = statement<{ id: string }>('find')`
  SELECT id FROM records WHERE ${OF_TENANT} AND version = ${nullable(param.int('version'))}
    AND (owner_id = ${param.text('tenantId')} OR status = ${param.text('status')}::"Status") LIMIT ${50 + 1}`;

test('a statement numbers its parameters, those of its pieces included, and sends each one once', () => {
  expect(bind(FIND, { tenantId: 'ten_x', version: null, status: 'open' })).toEqual({
    name: 'find',
    text: `
  SELECT id FROM records WHERE tenant_id = $1::text AND version = $2::int
    AND (owner_id = $1::text OR status = $3::text::"Status") LIMIT 51`,
    values: ['ten_x', null, 'open'],
  });
});

test('pieces are joined, and unused values are not sent', () => {
  const pieces: Sql<{ tenantId: string; status: string }>[] = [OF_TENANT, sql`status = ${param.text('status')}`];
  const both = statement<never>()`DELETE FROM records WHERE ${join(pieces, ' AND ')}`;
  const one = statement<never>()`DELETE FROM records WHERE ${join(pieces.slice(1), ' AND ')}`;
  const values = { tenantId: 'ten_x', status: 'open' };
  expect(bind(both, values)).toMatchObject({
    name: undefined,
    text: 'DELETE FROM records WHERE tenant_id = $1::text AND status = $2::text',
    values: ['ten_x', 'open'],
  });
  expect(bind(one, values)).toMatchObject({ text: 'DELETE FROM records WHERE status = $1::text', values: ['open'] });
});

test('the compiler rejects missing, unknown and wrongly typed values', () => {
  const values = { tenantId: 'ten_x', version: 1, status: 'open' };
  // @ts-expect-error: `status` is missing.
  bind(FIND, { tenantId: 'ten_x', version: 1 });
  // @ts-expect-error: `other` is not a parameter.
  bind(FIND, { ...values, other: 1 });
  // @ts-expect-error: `version` is a number.
  bind(FIND, { ...values, version: '1' });
  // @ts-expect-error: `status` cannot be null.
  bind(FIND, { ...values, status: null });
  // @ts-expect-error: strings cannot be interpolated.
  expect(() => sql`SELECT ${'text'}`).toThrow(TypeError);
  const contradictory = statement<never>()`SELECT ${param.text('value')}, ${param.int('value')}`;
  // @ts-expect-error: no value is both text and a number.
  bind(contradictory, { value: 1 });
});

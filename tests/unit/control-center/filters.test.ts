import { expect, test } from 'vitest';
import { z } from 'zod';
import { filterOf, fromFirstPage } from '@/app/t/[tenant]/_components/filters/filter-of';
import type { Field, Fields } from '@/lib/control-center/filters/fields';
import * as declared from '@/lib/control-center/filters/fields';
import { inputsOf, viewFieldsOf } from '@/lib/control-center/filters/inputs';
import { nullable, param, sql, statement, whereSet } from '@/lib/platform/sql';

function samplesOf(field: Field): { valid: readonly string[]; invalid: string[] } {
  if (field.kind === 'choice') return { valid: field.values, invalid: ['', 'other', '\0'] };
  if (field.kind === 'pattern') return { valid: ['2xx', 'error', '404'], invalid: ['', 'teapot', '4040', '404\n'] };
  return { valid: ['x', 'x'.repeat(field.kind === 'text' ? field.max : 200)], invalid: ['', '\0', '\ud800'] };
}

test.each<[string, Fields]>(Object.entries(declared))(
  '%s: the URL, a saved view, and a procedure accept the same values',
  (_, fields) => {
    const filter = filterOf(fields);
    const input = z.strictObject(inputsOf(fields));
    expect(filter.isSet(filter.none)).toBe(false);
    expect(input.parse({})).toEqual(filter.inputOf(filter.none));
    for (const [name, field] of Object.entries(fields)) {
      const { valid, invalid } = samplesOf(field);
      for (const value of valid) {
        const query = { ...filter.none, [name]: value };
        expect(filter.parsers[name]?.parse(value)).toBe(value);
        expect(filter.isSet(query)).toBe(true);
        expect(input.parse(filter.inputOf(query))).toEqual({ ...input.parse({}), [field.column]: value });
        expect(z.object(viewFieldsOf(fields)).parse({ [name]: value })).toEqual({ [name]: value });
      }
      for (const value of invalid) expect(filter.parsers[name]?.parse(value), `${name} ${value}`).toBeNull();
      if (field.kind === 'choice' || field.kind === 'pattern')
        for (const value of invalid) expect(input.safeParse({ [field.column]: value }).success, value).toBe(false);
    }
  },
);

test('a change of a filter leads to the first page, and a change of the page keeps the filter', () => {
  const query = { code: 'x', cursor: '1', back: true };
  expect(fromFirstPage(query, { code: null as never })).toEqual({ code: null, cursor: null, back: false });
  expect(fromFirstPage(query, { cursor: '2' })).toEqual({ code: 'x', cursor: '2', back: false });
});

test('only a value that is set gets a condition', () => {
  type Values = { tenantId: string; code: string | null; status: string | null };
  const conditions = {
    tenantId: sql`tenant_id = ${param.text('tenantId')}`,
    code: sql`code = ${nullable(param.text('code'))}`,
    status: (status: string) => (status === 'none' ? sql`status IS NULL` : sql`status = ${Number(status)}`),
  };
  const textOf = (values: Values, further = [sql`true`]) =>
    statement()`${whereSet<Values, Values>(values, conditions, further)}`.text;
  expect(textOf({ tenantId: 't', code: null, status: null }, [])).toBe('tenant_id = $1::text');
  expect(textOf({ tenantId: 't', code: 'x', status: '404' })).toBe(
    'tenant_id = $1::text AND code = $2::text AND status = 404 AND true',
  );
  expect(textOf({ tenantId: 't', code: null, status: 'none' }, [])).toBe('tenant_id = $1::text AND status IS NULL');
});

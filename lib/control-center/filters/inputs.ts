import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId } from '@/lib/contract/common';
import type { Field, Fields, ValueOf } from './fields';

function schemaOf(field: Field) {
  if (field.kind === 'choice') return z.enum(field.values);
  if (field.kind === 'id') return recordId;
  if (field.kind === 'pattern') return boundedText(field.max).regex(field.pattern);
  return boundedText(field.max).trim().min(1);
}

type Inputs<F extends Fields> = {
  [K in keyof F as F[K]['column']]: z.ZodDefault<z.ZodNullable<z.ZodType<ValueOf<F[K]>, ValueOf<F[K]>>>>;
};

/** Returns the fields of a procedure's input. A filter that is not set is null, and matches everything. */
export function inputsOf<F extends Fields>(fields: F): Inputs<F> {
  const inputs = Object.values(fields).map((field) => [field.column, schemaOf(field).nullable().default(null)]);
  return Object.fromEntries(inputs) as Inputs<F>;
}

type ViewFields<F extends Fields> = { [K in keyof F]: z.ZodOptional<z.ZodType<ValueOf<F[K]>, ValueOf<F[K]>>> };

/** Returns the URL parameters that a saved view contains. */
export function viewFieldsOf<F extends Fields>(fields: F): ViewFields<F> {
  const parameters = Object.entries(fields).map(([name, field]) => [name, schemaOf(field).optional()]);
  return Object.fromEntries(parameters) as ViewFields<F>;
}

/** The position of a list that is ordered by time and id. */
export const pageFields = {
  cursor: boundedText(100).nullable().default(null),
  /** Whether the page is before the cursor instead of after it. */
  back: z.boolean().default(false),
};

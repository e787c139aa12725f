import { z } from 'zod';
import { affectedByUnpublishing } from '@/lib/booking/catalog/edit/affected';
import type { AnyDoc, Kind } from '@/lib/booking/catalog/edit/kind';
import { type ListQuery, PAGE_SIZE } from '@/lib/booking/catalog/edit/list';
import { readOutside } from '@/lib/booking/catalog/edit/outside';
import { createRecord, readRecord, setPublished, updateRecord } from '@/lib/booking/catalog/edit/records';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId } from '@/lib/contract/common';
import { everyMemberProcedure, ownerProcedure } from '../init';
import { affectedShape, confirmedInput, outsideShape, unconfirmedShape } from './catalog-shapes';

export const listInput = z.strictObject({
  search: boundedText(200)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .default(''),
  status: z.enum(['any', 'published', 'unpublished']).default('any'),
  page: z.int().min(1).max(1_000).default(1),
});

const one = z.strictObject({ id: recordId });
const version = z.int().min(1);
/** The record to change, and the version that the owner has seen. */
export const target = z.strictObject({ id: recordId, expected_version: version, confirmed: confirmedInput });
export const recordShape = <Doc extends z.ZodType>(record: Doc) => z.strictObject({ id: z.string(), version, record });
const saved = z.strictObject({ id: z.string(), version, outside: outsideShape });
export const changedRecord = z.union([saved, unconfirmedShape]);

/**
 * Returns a schema that accepts any object. `createRecord` and `updateRecord` validate the object, because the rules
 * depend on the tenant's languages.
 */
export function recordInput<Input extends object>() {
  return z.custom<Input>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    message: 'must be an object',
  });
}

type Options<Input extends object, Doc extends AnyDoc, Summary extends z.ZodType> = {
  kind: Kind<Doc>;
  /** What the editor sends. */
  input: z.ZodType<Input, Input>;
  /** What the editor receives. */
  shape: z.ZodType<Doc, Doc>;
  summary: Summary;
  list: (tenantId: string, query: ListQuery) => Promise<{ records: z.input<Summary>[]; total: number }>;
};

/** Returns the procedures for one kind of catalog record. All members read records. Only owners change them. */
export function recordProcedures<Input extends object, Doc extends AnyDoc, Summary extends z.ZodType>(
  options: Options<Input, Doc, Summary>,
) {
  const { kind, input: record, shape, summary, list } = options;
  return {
    list: everyMemberProcedure
      .input(listInput)
      .output(z.strictObject({ records: z.array(summary), total: z.int(), page_size: z.int() }))
      .query(async ({ ctx: { member }, input }) => ({
        ...(await list(member.tenantId, input)),
        page_size: PAGE_SIZE,
      })),

    get: everyMemberProcedure
      .input(one)
      .output(recordShape(shape))
      .query(async ({ ctx: { member }, input }) => {
        const { id, version, doc } = await readRecord(kind, member.tenantId, input.id);
        return { id, version, record: doc };
      }),

    /** Returns a record's future bookings that are outside the catalog (see `Outside` in `outside.ts`). */
    outside: everyMemberProcedure
      .input(one)
      .output(outsideShape)
      .query(async ({ ctx: { member, now }, input: { id } }) => {
        await readRecord(kind, member.tenantId, id);
        return readOutside(member.tenantId, now, { kind: kind.name, ids: [id] });
      }),

    /** Returns the future bookings that would be outside the catalog if the record were unpublished. */
    unpublishing: ownerProcedure
      .input(one)
      .output(affectedShape)
      .query(async ({ ctx: { member, now }, input: { id } }) => {
        await readRecord(kind, member.tenantId, id);
        return affectedByUnpublishing(member.tenantId, now, { kind: kind.name, ids: [id] });
      }),

    create: ownerProcedure
      .input(z.strictObject({ record }))
      .output(saved)
      .mutation(({ ctx: { by, now }, input }) => createRecord(kind, now, by, input.record)),

    update: ownerProcedure
      .input(target.extend({ record }))
      .output(changedRecord)
      .mutation(({ ctx: { by, now }, input: { id, expected_version: expectedVersion, confirmed, record } }) =>
        updateRecord(kind, now, { ...by, id, expectedVersion, confirmed }, record),
      ),

    set_published: ownerProcedure
      .input(target.extend({ published: z.boolean() }))
      .output(changedRecord)
      .mutation(({ ctx: { by, now }, input: { id, expected_version: expectedVersion, confirmed, published } }) =>
        setPublished(kind, now, { ...by, id, expectedVersion, confirmed }, published),
      ),
  };
}

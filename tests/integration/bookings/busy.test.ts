import fc from 'fast-check';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { type BusyRequest, type RowReader, readBusy, roomOf } from '@/lib/booking/availability/claims';
import { type Claim, paddedRange } from '@/lib/booking/availability/input';
import { slotsForRange } from '@/lib/booking/availability/slots';
import { bind } from '@/lib/platform/sql';
import { withSuperuser } from '@/tests/support/database';
import { anyCase, queryOf } from '@/tests/unit/availability/cases';
import { claim, query } from '@/tests/unit/availability/fixtures';

const CASES = 200;

/** Inserts claims, but not the records to which they refer. Foreign keys are disabled. */
const INSERT = `
  INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during, overlapping, capacity, taken)
  SELECT id::uuid, 'ten', specialist, service, location, to_timestamp(start * 60), least(to_timestamp(start * 60 + 60), upper(range)),
    CASE WHEN overlapped THEN 'empty' ELSE range END, CASE WHEN overlapped THEN range END, capacity, taken
  FROM jsonb_to_recordset($1) AS given(id text, specialist text, service text, location text, start bigint, "from" bigint, "to" bigint,
    overlapped boolean, capacity int, taken int),
    LATERAL (SELECT tstzrange(to_timestamp("from" * 60), to_timestamp("to" * 60))) AS made(range)`;

type Stored = Claim & { overlapped?: boolean };

const idOf = (claim: Claim) => `00000000-0000-4000-8000-${(ids.get(claim) ?? 0).toString().padStart(12, '0')}`;
const ids = new Map<Claim, number>();

async function insert(client: pg.ClientBase, claims: readonly Stored[]): Promise<void> {
  for (const one of claims) ids.set(one, ids.size);
  const rows = claims.map((one) => ({
    ...{ id: idOf(one), specialist: one.specialistId, service: one.serviceId, location: one.locationId },
    ...{ start: one.startsAt, from: one.from, to: one.to, overlapped: one.overlapped ?? false },
    ...{ capacity: one.capacity, taken: one.taken },
  }));
  await client.query(INSERT, [JSON.stringify(rows)]);
}

/** Calls `run` with a connection of a superuser, on which nothing is kept. */
async function inLostTransaction(run: (client: pg.ClientBase, read: RowReader) => Promise<void>): Promise<void> {
  await withSuperuser(async (client) => {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    const read: RowReader = async (statement, values) =>
      (await client.query({ ...bind(statement, values), rowMode: 'array' })).rows as never[];
    await run(client, read);
    await client.query('ROLLBACK');
  });
}

const PLACE = { id: 'loc', tenantId: 'ten' };

test('merged claims leave exactly the slots that the single claims leave, in every request of a query', async () => {
  await inLostTransaction(async (client, read) => {
    const cases = fc.sample(anyCase, CASES).flatMap((day, index) => {
      const asked = queryOf(day);
      const own = <T extends { id: string }>(record: T) => ({ ...record, id: `${index} ${record.id}` });
      const claims = asked.claims.map((one) => ({ ...one, specialistId: `${index} ${one.specialistId}` }));
      const renamed = { ...asked, specialists: asked.specialists.map(own), claims };
      const range = paddedRange(renamed);
      return range ? [{ day, asked: renamed, range }] : [];
    });
    expect(cases.length).toBeGreaterThan(CASES / 2);
    await insert(
      client,
      cases.flatMap(({ asked }) => asked.claims),
    );
    const requests = cases.map(({ asked, range }): BusyRequest => {
      const own = asked.claims.find(({ isOwn }) => isOwn);
      return {
        ...{ specialistIds: asked.specialists.map(({ id }) => id), location: PLACE, ranges: [range] },
        ...{ room: roomOf(asked.service), own: own ? idOf(own) : null },
      };
    });
    const found = await readBusy(read, requests);
    for (const [index, { day, asked }] of cases.entries()) {
      const claims = found[index]?.claims ?? [];
      expect(slotsForRange({ ...asked, claims }), JSON.stringify(day)).toEqual(slotsForRange(asked));
    }
  });
});

test('only a gap with room for an appointment stays, also beside an overlapping claim', async () => {
  await inLostTransaction(async (client, read) => {
    const { service } = query({ service: { bufferBeforeMinutes: 10, durationMinutes: 30, bufferAfterMinutes: 20 } });
    const hours = ['09:00', '10:59', '13:00', '15:00'].map((time) => claim(`2026-09-14T${time}+02:00`));
    const overlapping: Stored = { ...claim('2026-09-14T15:30+02:00'), overlapped: true, capacity: 3 };
    await insert(client, [...hours, overlapping]);
    const [start = 0, , third = 0, fourth = 0] = hours.map(({ startsAt }) => startsAt);
    const request = { specialistIds: ['a'], location: PLACE, room: roomOf(service) };
    const rangesIn = async (...ranges: BusyRequest['ranges']) => {
      const [busy] = await readBusy(read, [{ ...request, ranges }]);
      return busy?.claims.map(({ from, to }) => [from - start, to - start]);
    };
    expect(await rangesIn({ from: start, to: start + 1440 })).toEqual([
      [0, 179],
      [240, 300],
      [360, 450],
    ]);
    const [early, late] = [
      { from: start, to: start + 1 },
      { from: fourth - 1, to: fourth + 1 },
    ];
    expect(await rangesIn(early, late)).toEqual([
      [0, 60],
      [360, 420],
    ]);
    expect(await rangesIn({ from: third + 60, to: fourth })).toEqual([]);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { flushRefusedCalls } from '@/lib/activity/audit/refused-calls';
import { resetSingleton } from '@/lib/platform/singleton';
import { ENTRIES } from '../control-center/every-procedure-entries';
import { callAs } from './calls';
import { compareTwins } from './compare';
import { filledFields, namingFields } from './fields';
import { inputsOf, PROCEDURES, schemasOf } from './inputs';
import { makeWorlds, marksOf, rowsOf, type Worlds } from './world';

let worlds: Worlds;
let marks: string[];
let before: string[];

beforeAll(async () => {
  process.env.WEBHOOKS_ALLOW_LOOPBACK = '1';
  // A timer of an earlier test file in this process may have read the settings already. They must be read again.
  resetSingleton('env');
  worlds = await makeWorlds();
  marks = await marksOf(worlds.other);
  before = await otherRows();
});

const otherRows = () => rowsOf(worlds.other, [worlds.birch, worlds.beech]);

/** Returns the results of `inputsOf` as JSON. */
function requestsOf(world: Worlds['birch'], path: string): string[] {
  return inputsOf(path, world).map((input) => JSON.stringify(input ?? {}));
}

test.each(PROCEDURES)('the inputs of $path contain every field that can name a record', ({ path }) => {
  const filled = inputsOf(path, worlds.birch).flatMap((input) => filledFields(input));
  expect(filled).toEqual(expect.arrayContaining(schemasOf(path).flatMap(namingFields)));
});

describe.each(PROCEDURES)('$path', ({ path }) => {
  test('treats values of another tenant as unknown values', async () => {
    const now = new Date();
    await compareTwins(
      worlds,
      (world) => requestsOf(world, path),
      marks,
      (world, request) => callAs(world, path, request, now),
    );
  });
});

test('changes no row of another tenant', async () => {
  expect(await otherRows()).toEqual(before);
});

test('no call of an owner changes what another tenant reads, including counts', async () => {
  const now = new Date();
  const { birch, other } = worlds;
  const queries = PROCEDURES.filter(({ type }) => type === 'query').flatMap(({ path }) =>
    requestsOf(birch, path).map((request) => ({ path, request })),
  );
  const read = async () => {
    const replies: string[] = [];
    for (const { path, request } of queries) {
      const { status, body } = await callAs(birch, path, request, now);
      replies.push(`${path} ${request}: ${status} ${body}`);
    }
    return replies;
  };
  // The refused calls of the tests above are otherwise written between the two reads.
  await flushRefusedCalls();
  const first = await read();
  expect(first.filter((reply) => marks.some((mark) => reply.includes(mark)))).toEqual([]);
  // The booking procedures are called before the catalog procedures, because some catalog procedures unpublish the
  // booked service.
  const isBooking = ({ path }: { path: string }) => path.startsWith('bookings.');
  const ordered = [...PROCEDURES.filter(isBooking), ...PROCEDURES.filter((one) => !isBooking(one))];
  for (const { path } of ordered)
    for (const request of requestsOf(other, path)) {
      const { status, body } = await callAs(other, path, request, now);
      // Status 409, a version conflict, also proves that the input names an existing record. `team.invite` gets the
      // email address of the owner, who is already a member, so it returns 400.
      const asMember = path === 'team.invite' ? 400 : 200;
      expect([200, 409, asMember, ENTRIES[path]?.status ?? 200], `${path} ${request}: ${body}`).toContain(status);
    }
  expect(await otherRows()).not.toEqual(before);
  expect(await read()).toEqual(first);
});

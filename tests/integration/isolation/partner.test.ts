import { beforeAll, expect, test } from 'vitest';
import { ALL_OPERATIONS, OPERATIONS, type OperationId } from '@/lib/contract/operations';
import { compareTwins } from './compare';
import { filledFields, namingFields } from './fields';
import { REQUESTS, requestsOf, send } from './requests';
import { makeWorlds, marksOf, rowsOf, type Worlds } from './world';

let worlds: Worlds;
let marks: string[];
let before: string[];

beforeAll(async () => {
  worlds = await makeWorlds();
  marks = await marksOf(worlds.other);
  before = await otherRows();
  // Loads the policies and the catalogs, so that all later requests find them in memory.
  for (const world of [worlds.birch, worlds.beech]) await send('listCatalog')(world, '{}');
});

const otherRows = () => rowsOf(worlds.other, [worlds.birch, worlds.beech]);

/**
 * Returns the 4xx statuses that are correct for a request that contains only values of the tenant that sends it. Omits
 * 409, which any write can get.
 */
function refusals(id: OperationId, request: string): number[] {
  // The cursor is from the list of the catalog, so other lists refuse it with a 400. The application has no webhook
  // endpoint, so a test event is refused with a 404.
  if (request.includes('"cursor"')) return [400];
  return id === 'sendTestEvent' ? [404] : [];
}

test.each(ALL_OPERATIONS)('the requests of $id contain every field that can name a record', (operation) => {
  const requests = REQUESTS[operation.id](worlds.birch.values);
  const filled = requests.flatMap(({ query, body }) => [...filledFields(query), ...filledFields(body)]);
  const fields = [operation.query, ...(operation.body ? [operation.body] : [])].flatMap(namingFields);
  expect(filled).toEqual(expect.arrayContaining(fields));
  expect(requests.every(({ reference }) => (reference !== undefined) === operation.path.includes('{'))).toBe(true);
});

// Partners lack the scope of the other operations, or have them only in TEST. `partner-v1/not-found.test.ts`,
// `partner-v1/busy.test.ts`, and the tests in `sandbox` compare tenants.
test.each(OPERATIONS)('$id treats values of another tenant as unknown values', async ({ id }) => {
  await compareTwins(worlds, (world) => requestsOf(id, world), marks, send(id));
});

test('changes no row of another tenant', async () => {
  expect(await otherRows()).toEqual(before);
});

test('no request of a partner changes what the partners of another tenant read', async () => {
  const { birch, other } = worlds;
  const read = async () => {
    const replies = [];
    for (const { id } of OPERATIONS.filter(({ method }) => method === 'GET'))
      for (const request of requestsOf(id, birch)) {
        const { status, body } = await send(id)(birch, request);
        expect([200, 400]).toContain(status);
        // The bounds of what can be booked move with each minute.
        replies.push(`${request}: ${status} ${body.replace(/req_\w+|"bookable_\w+":"[^"]+"/g, '')}`);
      }
    return replies;
  };
  const first = await read();
  expect(first.filter((reply) => marks.some((mark) => reply.includes(mark)))).toEqual([]);
  // These requests are valid, because the tenant `other` sends only its own values. Its writes can get a 409, because
  // it has already used its only idempotency key.
  for (const { id } of OPERATIONS)
    for (const request of requestsOf(id, other)) {
      const { status, body } = await send(id)(other, request);
      expect([200, 201, 409, ...refusals(id, request)], `${id} ${request}: ${body}`).toContain(status);
    }
  expect(await read()).toEqual(first);
});

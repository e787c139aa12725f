import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '@/lib/contract/operations';
import { newId } from '@/lib/platform/ids';
import { resetSingleton } from '@/lib/platform/singleton';
import { dayAhead } from '@/tests/support/bookings';
import { repeats } from '@/tests/support/soak';
import { addEndpoint } from '@/tests/support/webhooks';
import { callAsOwner } from './calls';
import { inputsOf, PROCEDURES } from './inputs';
import { isDifferent, type Mutant, mutantsOf, OF_APPLICATION, OF_TENANT, runMutant, undone } from './mutants';
import { REQUESTS, type Request, requestsOf, send } from './requests';
import { makeWorlds, marksOf, rowsOf, type World, type Worlds } from './world';

let worlds: Worlds;
let marks: string[];

beforeAll(async () => {
  process.env.WEBHOOKS_ALLOW_LOOPBACK = '1';
  // Otherwise, each altered statement that fails and each write that is undone would log an error.
  process.env.LOG_LEVEL = 'silent';
  // Resets the settings, which a timer of an earlier test file in this process may have read already.
  resetSingleton('env');
  worlds = await makeWorlds();
  marks = await marksOf(worlds.other);
});

const otherRows = () => rowsOf(worlds.other, [worlds.birch, worlds.beech]);

/**
 * A request, and one of its statements without a condition on the tenant (see `Mutant`). `name` is the name of the
 * procedure or operation.
 */
type Case<Name> = { name: Name; request: string; mutant: Mutant };

type Call<Name> = (name: Name, request: string) => Promise<{ status: number; body: string }>;

/**
 * Returns the cases in which the mutant has a different result than the original statement (see `isDifferent`). Even
 * without the row-level security policies, some mutants have the same result, for example because another condition of
 * the statement limits it to one tenant's rows anyway.
 * @param undo whether the requests are writes. If so, they are undone.
 * @param isLimited whether the row-level security policies apply to the mutants.
 */
async function differing<Name>(cases: Case<Name>[], call: Call<Name>, undo: boolean, isLimited: boolean) {
  const different: Case<Name>[] = [];
  for (const one of cases)
    if (await isDifferent(() => call(one.name, one.request), one.mutant, undo, isLimited)) different.push(one);
  return different;
}

const namesOf = <Name>(cases: Case<Name>[]) => cases.map(({ name }) => name);

/**
 * Asserts that requests in which a mutant replaces a statement neither show nor change another tenant's data. Returns
 * how many mutants were sent.
 */
async function expectUnharmed<Name>(cases: Case<Name>[], call: Call<Name>): Promise<number> {
  const before = await otherRows();
  let sent = 0;
  for (const { name, request, mutant } of cases) {
    const { reply, rows } = await runMutant(() => call(name, request), mutant);
    if (rows.length > 0) sent += 1;
    const shown = marks.filter((mark) => !request.includes(mark) && reply.includes(mark));
    expect([name, mutant.changed, shown]).toEqual([name, mutant.changed, []]);
  }
  expect(await otherRows()).toEqual(before);
  return sent;
}

// Each test sends two kinds of requests. Requests of the first kind name records of another tenant. The server refuses
// them because of a condition on the tenant, so a mutant without that condition could show or change such a record.
// After a refusal, the server does not run the remaining SQL statements of the request. Requests of the second kind
// therefore name the caller's own records, so that these statements run and have mutants too.

describe('without a condition on the tenant, a procedure of the Control Center', () => {
  /** The procedures that `npm test` runs with mutants. `npm run test:soak` runs all procedures with mutants. */
  const SHORT =
    /^(team|keys|views)\.(list|create|issue|rename|delete|invite|set_role)$|^overview\.outside$|^bookings\.contact$/;

  const callAt =
    (now: Date): Call<string> =>
    (path, request) =>
      callAsOwner(worlds.birch, path, request, now);

  async function casesOf(type: 'query' | 'mutation', call: Call<string>, undo: boolean): Promise<Case<string>[]> {
    const cases: Case<string>[] = [];
    const chosen = repeats(0, 1) ? PROCEDURES : PROCEDURES.filter(({ path }) => SHORT.test(path));
    for (const { path: name } of chosen.filter((one) => one.type === type)) {
      const seen = new Set<string>();
      for (const input of [...inputsOf(name, worlds.other), ...inputsOf(name, worlds.birch)]) {
        const request = JSON.stringify(input ?? {});
        const mutants = await mutantsOf(() => call(name, request), OF_TENANT, seen, undo ? undone : undefined);
        cases.push(...mutants.map((mutant) => ({ name, request, mutant })));
      }
    }
    return cases;
  }

  test('reads nothing of another tenant', async () => {
    const call = callAt(new Date());
    const cases = await casesOf('query', call, false);
    expect(await differing(cases, call, false, true)).toEqual([]);
    expect(namesOf(await differing(cases, call, false, false))).toEqual(
      expect.arrayContaining(['overview.outside', 'team.list', 'keys.list']),
    );
  });

  test('finds nothing of another tenant to change', async () => {
    // The transaction of each call is rolled back (see `undone`), which can make a call fail.
    const call: Call<string> = (path, request) => callAt(now)(path, request).catch(() => ({ status: 500, body: '' }));
    const now = new Date();
    const cases = await casesOf('mutation', call, true);
    expect(await differing(cases, call, true, true)).toEqual([]);
    expect(namesOf(await differing(cases, call, true, false))).toEqual(
      expect.arrayContaining(['bookings.contact', 'keys.issue', 'team.set_role']),
    );
  });

  test('changes nothing of another tenant', async () => {
    const call = callAt(new Date());
    const cases = await casesOf('mutation', call, false);
    // Some changes can be made only once. A second request for such a change is refused before its later statements are
    // sent, so mutants of these statements are not sent.
    const sent = await expectUnharmed(cases, call);
    expect(sent).toBeGreaterThan(cases.length / 3);
  });
});

describe('without a condition on the tenant or the application, an operation of the partner API', () => {
  // The application's policy and the catalog are loaded for each request, because this process does not listen for
  // their changes.
  const call: Call<OperationId> = (id, request) => send(id)(worlds.beech, request);
  const operations = (method: 'GET' | 'POST') => OPERATIONS.filter((one) => one.method === method).map(({ id }) => id);
  const seen = new Set<string>();
  let days = 0;

  beforeAll(async () => {
    await addEndpoint(worlds.beech.tenantId, worlds.beech.values.applicationId, 'http://127.0.0.1:3999/hooks');
  });

  test('reads nothing of another tenant', async () => {
    const cases: Case<OperationId>[] = [];
    for (const world of [worlds.other, worlds.beech])
      for (const name of operations('GET'))
        for (const request of requestsOf(name, world)) {
          const mutants = await mutantsOf(() => call(name, request), OF_APPLICATION, seen);
          cases.push(...mutants.map((mutant) => ({ name, request, mutant })));
        }
    expect(await differing(cases, call, false, true)).toEqual([]);
    expect(namesOf(await differing(cases, call, false, false))).toEqual(
      expect.arrayContaining(['listCatalog', 'readBooking']),
    );
  });

  /**
   * Returns a request for a change, with values of a tenant. Every call returns a different change, because a caller
   * cannot make the same change to its own records twice.
   */
  async function newChange(id: OperationId, world: World): Promise<string> {
    days += 1;
    const slot = { date: dayAhead(20 + days), start_time: '10:00' };
    const [first] = REQUESTS[id](world.values);
    const request: Request = { ...first, idempotencyKey: newId('req') };
    if (id === 'createBooking' || id === 'rescheduleBooking') request.body = { ...request.body, ...slot };
    if (request.reference !== undefined && world === worlds.beech) {
      const created = await call('createBooking', await newChange('createBooking', world));
      request.reference = /pbr_\w+/.exec(created.body)?.[0];
    }
    return JSON.stringify(request);
  }

  test('changes nothing of another tenant', async () => {
    const cases: Case<OperationId>[] = [];
    for (const world of [worlds.other, worlds.beech])
      for (const name of operations('POST')) {
        const first = await newChange(name, world);
        for (const mutant of await mutantsOf(() => call(name, first), OF_APPLICATION, seen))
          cases.push({ name, request: await newChange(name, world), mutant });
      }
    // The results are compared only without the row-level security policies. With the policies, a different result
    // would not prove that a mutant finds rows of another tenant: a mutant without its condition on the application can
    // find rows of another application of the same tenant.
    expect(namesOf(await differing(cases, call, true, false))).toEqual(
      expect.arrayContaining(['cancelBooking', 'rescheduleBooking']),
    );
    expect(await expectUnharmed(cases, call)).toBe(cases.length);
  });
});

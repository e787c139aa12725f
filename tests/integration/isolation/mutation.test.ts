import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '@/lib/contract/operations';
import { newId } from '@/lib/platform/ids';
import { dayAhead } from '@/tests/support/bookings';
import { changeSettings } from '@/tests/support/fresh-process';
import { repeats, SOAK } from '@/tests/support/soak';
import { addEndpoint } from '@/tests/support/webhooks';
import { callAs } from './calls';
import { inputsOf, PROCEDURES } from './inputs';
import {
  differences,
  type Mutant,
  mutantsOf,
  OF_APPLICATION,
  OF_TENANT,
  originalsOf,
  runMutant,
  undone,
} from './mutants';
import { REQUESTS, type Request, requestsOf, send } from './requests';
import { makeWorlds, marksOf, rowsOf, type World, type Worlds } from './world';

let worlds: Worlds;
let marks: string[];

beforeAll(async () => {
  // Silences the log, because each altered statement that fails and each write that is undone logs an error.
  changeSettings({ WEBHOOKS_ALLOW_LOOPBACK: '1', LOG_LEVEL: 'silent' });
  worlds = await makeWorlds();
  marks = await marksOf(worlds.other);
});

const otherRows = () => rowsOf(worlds.other, [worlds.birch, worlds.beech]);

/**
 * A request, and one of the SQL statements that it causes, with and without a condition on the tenant. `name` is the
 * name of the procedure or operation.
 */
type Case<Name> = { name: Name; request: string; mutant: Mutant };

type Call<Name> = (name: Name, request: string) => Promise<{ status: number; body: string }>;

/**
 * Returns the cases whose mutant has a different result than the original statement (see `differences`), with the
 * row-level security policies, and the names of those that have one without them. Some mutants have the same result even
 * without the policies. For example, another condition of the statement can limit the rows to one tenant.
 * @param undo true for writes, whose transactions are rolled back.
 * @param limited false to compare only without the policies.
 */
async function differing<Name>(cases: Case<Name>[], call: Call<Name>, undo: boolean, limited = true) {
  const different = { limited: [] as Case<Name>[], unlimited: [] as Name[] };
  const originals = new Map<string, ReturnType<typeof originalsOf>>();
  for (const one of cases) {
    // One mutant of a name shows that the requests would find something. In the soak, all do.
    const unlimited = SOAK || !different.unlimited.includes(one.name);
    if (!limited && !unlimited) continue;
    const send = () => call(one.name, one.request);
    const key = `${one.name} ${one.request}`;
    const original = originals.get(key) ?? originalsOf(send, undo);
    originals.set(key, original);
    const expected = (await original)(one.mutant.original);
    const found = await differences(send, one.mutant, expected, undo, { limited, unlimited });
    if (found.limited) different.limited.push(one);
    if (found.unlimited) different.unlimited.push(one.name);
  }
  return different;
}

/**
 * Sends the request of each case. Makes the server execute the mutant, a statement without its condition on the tenant,
 * instead of the original statement. Asserts that no reply shows data of another tenant, and that no request changes
 * such data. Returns how many mutants the server executed.
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

// A mutant is an SQL statement without its condition on the tenant. Each test sends two kinds of requests. The first
// kind names records of another tenant, which a mutant could show or change. The server refuses such a request early,
// and does not run its later statements. The second kind names the caller's own records. For such a request, the server
// also runs the later statements, so mutants of these are tested too.

describe('without a condition on the tenant, a procedure of the Control Center', () => {
  /** The procedures that `npm test` runs with mutants. `npm run test:soak` runs all procedures with mutants. */
  const SHORT =
    /^(team|keys|views)\.(list|create|issue|rename|delete|invite|set_role)$|^overview\.outside$|^bookings\.contact$/;

  const callAt =
    (now: Date): Call<string> =>
    (path, request) =>
      callAs(worlds.birch, path, request, now);

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
    expect(await differing(cases, call, false)).toEqual({
      limited: [],
      unlimited: expect.arrayContaining(['overview.outside', 'team.list', 'keys.list']),
    });
  });

  test('finds nothing of another tenant to change', async () => {
    // `undone` rolls back the transaction of each call, which can make the call fail. Such a failure is ignored.
    const call: Call<string> = (path, request) => callAt(now)(path, request).catch(() => ({ status: 500, body: '' }));
    const now = new Date();
    const cases = await casesOf('mutation', call, true);
    expect(await differing(cases, call, true)).toEqual({
      limited: [],
      unlimited: expect.arrayContaining(['bookings.contact', 'keys.issue', 'team.set_role']),
    });
  });

  test('changes nothing of another tenant', async () => {
    const call = callAt(new Date());
    const cases = await casesOf('mutation', call, false);
    // Some changes can be made only once. The server refuses every further request for such a change early, before it
    // would run the mutant of a later statement. For this reason, not every mutant is sent to the database.
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
    expect(await differing(cases, call, false)).toEqual({
      limited: [],
      unlimited: expect.arrayContaining(['listCatalog', 'readBooking']),
    });
  });

  /**
   * Returns a request for a change to records of the tenant in `world`. Every call returns a request for a different
   * change, because a tenant cannot make the same change to its own records twice.
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
    // Compares only the results without the row-level security policies. With the policies, a different result would
    // not show that something is wrong: without the condition on the application, a statement can find rows of another
    // application of the same tenant.
    expect((await differing(cases, call, true, false)).unlimited).toEqual(
      expect.arrayContaining(['cancelBooking', 'rescheduleBooking']),
    );
    expect(await expectUnharmed(cases, call)).toBe(cases.length);
  });
});

import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenantPath } from '@/app/_components/tenant-path';
import { cancelBooking, createBooking } from '@/lib/contract/operations';
import { actionPath, BOOKINGS, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { METRICS_TOKEN, readMetrics, sumOf } from '@/tests/support/metrics';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';

const CUSTOMER = {
  name: 'Quirinus Zzyzx',
  phone: '+49 30 5550 7391',
  consent_to_contact: true,
};
const GUESTS = ['Quirinus', 'Zzyzx', '5550 7391', '55507391'];
const EMAIL = 'quirinus.zzyzx@guest.example';
const INVITED = 'wilhelmina.pfiffig@invited.example';
const PASSWORD = 'Korrektes-Pferd-8841';
const CALLBACK = 'javascript:confidential-callback';
const FINDABLE = 'Rumpelstilz';

let database: OwnDatabase;
let receiver: Receiver;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  receiver = await startReceiver();
  const env = { LOG_LEVEL: 'debug', WEBHOOKS_ALLOW_LOOPBACK: '1', METRICS_TOKEN };
  server = await startServer({ databaseUrl: database.url, env });
});

afterAll(async () => {
  await server.stop();
  await receiver.close();
  await database.drop();
});

async function makeStage() {
  const business = await makeBusiness();
  const hook = await addEndpoint(business.tenant.id, business.applicationId, receiver.url);
  const owner = await makePerson(business.tenant.id, 'OWNER', 'Olivia Owner', PASSWORD);
  const cookie = await signInOverHttp(server.origin, owner.email, PASSWORD);
  expect(await signInOverHttp(server.origin, owner.email, `${PASSWORD}x`)).toBeNull();
  const client = createClient({ origin: server.origin, key: business.key });
  const body = (start_time: string, customer: object = CUSTOMER) => ({
    service_id: business.service.id,
    location_id: business.location.id,
    date: dayAhead(),
    start_time,
    external_reference: 'order-4711',
    customer,
  });
  return {
    ...business,
    ...hook,
    owner,
    cookie,
    client,
    body,
    create: (start_time: string, customer?: object) =>
      post(client, BOOKINGS, createBooking, body(start_time, customer), { key: `${FINDABLE}-booking-${start_time}` }),
    call: (path: string, type: 'query' | 'mutation', input: unknown) =>
      callProcedure(path, { origin: server.origin, cookie, type, input }),
  };
}

type Stage = Awaited<ReturnType<typeof makeStage>>;

/** Sends requests that succeed and requests that are refused as expected. */
async function ordinaryRequests({ client, create, body, call, owner }: Stage): Promise<void> {
  const made = await create('10:00');
  expect(made.status).toBe(201);
  expect((await create('10:00')).status).toBe(201);
  const { reference } = made.data.booking;
  expect((await client(`${BOOKINGS}/${reference}`)).status).toBe(200);
  expect((await call('bookings.contact', 'mutation', { reference })).status).toBe(200);
  expect((await create('10:30', { ...CUSTOMER, phone: FINDABLE })).status).toBe(400);
  expect((await create('10:30', { ...CUSTOMER, birthday: EMAIL })).status).toBe(400);
  expect((await post(client, BOOKINGS, createBooking, `{"customer": "${FINDABLE}"`)).status).toBe(400);
  expect((await post(client, BOOKINGS, createBooking, { ...body('11:00'), [FINDABLE]: 1 })).status).toBe(400);
  expect((await client(`${CATALOG}?email=${INVITED}&name=${FINDABLE}`)).status).toBe(400);
  expect((await createClient({ origin: server.origin, key: `pbk_test_${FINDABLE}` })(CATALOG)).status).toBe(401);
  expect((await call('team.invite', 'mutation', { email: INVITED, role: FINDABLE })).status).toBe(400);
  expect((await call('bookings.list', 'query', { search: FINDABLE, email: INVITED })).status).toBe(400);
  const passwords = { current_password: `${PASSWORD}-no`, new_password: `${PASSWORD}-new` };
  expect((await call('session.change_password', 'mutation', passwords)).status).toBeGreaterThanOrEqual(400);
  for (const path of [`/sign-in?email=${owner.email}`, `/invite/${FINDABLE}`, `/%ff${FINDABLE}`, `/${FINDABLE}`]) {
    await (await request(`${server.origin}${path}`)).body.dump();
  }
  expect((await post(client, actionPath(reference, 'cancel'), cancelBooking, { expected_version: 1 })).status).toBe(
    200,
  );
}

/** Emits two events. The first delivery succeeds, and the second delivery fails. */
async function webhooks({ emit }: Stage): Promise<void> {
  const attempts = async () => {
    const metrics = await readMetrics(server.origin);
    return sumOf(metrics, 'partner_booking_webhook_attempt_duration_seconds_count');
  };
  for (const response of [status(200), status(500, {}, FINDABLE)]) {
    receiver.answer(response);
    const before = await attempts();
    await emit();
    await until(attempts, (count) => count > before);
  }
}

// Creates trigger functions whose errors contain data. The error of `quote_row` contains data in the message and the
// detail. The error of `quote_value` contains data in the message of a failed cast.
const BREAK = `
  CREATE FUNCTION quote_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not this row: %', NEW USING DETAIL = NEW::text, ERRCODE = TG_ARGV[0]; END $$;
  CREATE FUNCTION quote_value() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM NEW.email::uuid; RETURN NEW; END $$;`;

const DEFECTS: [string, string][] = [
  ["BEFORE INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION quote_row('P0001')", 'create'],
  ["BEFORE INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION quote_row('22023')", 'create'],
  ["BEFORE INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION quote_row('XX000')", 'create'],
  ["BEFORE INSERT ON invitations FOR EACH ROW EXECUTE FUNCTION quote_row('P0001')", 'invite'],
  ["BEFORE INSERT ON invitations FOR EACH ROW EXECUTE FUNCTION quote_row('23514')", 'invite'],
  ['BEFORE INSERT ON invitations FOR EACH ROW EXECUTE FUNCTION quote_value()', 'invite'],
];

async function brokenDatabase({ create, call }: Stage): Promise<void> {
  await database.query(BREAK);
  for (const [defect, operation] of DEFECTS) {
    await database.query(`CREATE TRIGGER defect ${defect}`);
    if (operation === 'create') expect((await create('14:00')).status).toBe(503);
    else expect((await call('team.invite', 'mutation', { email: INVITED, role: 'SUPPORT' })).status).toBe(503);
    await database.query(`DROP TRIGGER defect ON ${operation === 'create' ? 'bookings' : 'invitations'}`);
  }
}

async function noDatabase({ client, create, call, owner, cookie }: Stage): Promise<void> {
  await database.shut();
  expect((await create('15:00')).status).toBe(503);
  await client(CATALOG, { headers: { 'user-agent': `${FINDABLE.slice(0, 3)} pbk_test_${'x'.repeat(30)}` } });
  await call('team.invite', 'mutation', { email: INVITED, role: 'SUPPORT' });
  const bookings = `${server.origin}${tenantPath(owner.tenantId, '/bookings')}`;
  const page = await request(bookings, { headers: { cookie: cookie ?? '' } });
  await page.body.dump();
  await until(
    async () => server.errors(),
    (output) => output.includes('request log entry not written'),
  );
  await database.open();
  await until(
    async () => (await client(CATALOG)).status,
    (code) => code === 200,
  );
}

/** Sends an invalid callback URL, which next-auth quotes in an error message. */
async function callbackUrls(): Promise<void> {
  const path = `${server.origin}/api/auth/csrf`;
  await (await fetch(`${path}?callbackUrl=${encodeURIComponent(CALLBACK)}`)).text();
  await (await fetch(path, { headers: { cookie: `partner-booking-test.callback=${CALLBACK}` } })).text();
  await until(
    async () => server.errors().split('INVALID_CALLBACK_URL_ERROR').length - 1,
    (count) => count >= 2,
  );
}

test('in every situation, the process logs JSON lines without contacts, credentials, or payloads', async () => {
  const stage = await makeStage();
  await ordinaryRequests(stage);
  await callbackUrls();
  await webhooks(stage);
  await brokenDatabase(stage);
  await noDatabase(stage);
  const { key, secret, owner, cookie } = stage;
  await server.stop();
  const output = server.errors() + server.output();
  const lines = output.split('\n').filter((line) => line !== '');
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const line of parsed) {
    expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(Number), pid: server.pid });
  }
  const count = (msg: string) => parsed.filter((line) => line.msg === msg).length;
  expect(count('listening')).toBe(1);
  expect(count('stopping')).toBe(1);
  expect(count('job done')).toBeGreaterThanOrEqual(2);
  // Every injected error was logged with a stack trace.
  const failures = parsed.filter((line) => line.msg === 'unexpected failure');
  expect(failures.length).toBeGreaterThanOrEqual(DEFECTS.length);
  for (const { err } of failures)
    expect(err).toMatchObject({ type: expect.any(String), stack: expect.stringContaining('at ') });
  const found = failures.filter(({ request_id }) => /^req_/.test(String(request_id)));
  expect(found.length).toBeGreaterThanOrEqual(DEFECTS.length);
  const password = new URL(database.url).password;
  const session = cookie?.split('=').at(-1) ?? '';
  const secrets = [
    key.slice(9),
    secret.slice(6),
    PASSWORD,
    password,
    session,
    TEST_SECRET,
    METRICS_TOKEN,
    owner.email,
    CALLBACK.slice(11),
  ];
  for (const secretText of [...GUESTS, EMAIL, INVITED, 'wilhelmina', FINDABLE, ...secrets]) {
    expect(secretText.length).toBeGreaterThan(4);
    const line = lines.find((one) => one.toLowerCase().includes(secretText.toLowerCase()));
    expect(line, secretText).toBeUndefined();
  }
});

import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliverMails } from '@/lib/activity/mail/deliver';
import { inPool, inPrisma, queueMail } from '@/lib/activity/mail/queue';
import { checkServer } from '@/lib/activity/mail/smtp';
import { readMailState } from '@/lib/activity/mail/state';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { parseSmtpUrl } from '@/lib/platform/smtp-url';
import { makePerson } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { refusal, startMailServer } from '@/tests/support/mail-server';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { type ManualClock, manualClock } from '@/tests/support/webhooks';

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

const MINUTE = 60_000;
let database: OwnDatabase;
let mail: MailServer;
let clock: ManualClock;
let tenantId: string;

beforeAll(async () => {
  database = await ownDatabase();
  mail = await startMailServer();
  Object.assign(process.env, mail.settings);
});
afterAll(async () => {
  await mail.close();
  await database.drop();
});
beforeEach(async () => {
  await database.query('DELETE FROM mails');
  mail.behave({});
  mail.received.length = 0;
  clock = manualClock(new Date());
  tenantId = (await makeTenant()).id;
});

const address = () => `${newId('usr')}@salon.example`;
const deliver = () => deliverMails(clock.now, mail.smtp);
const row = (id: string | null) => db().mail.findUniqueOrThrow({ where: { id: id ?? '' } });

/** Queues an invitation, whose text contains a link. */
const queue = (email = address(), cause = newId('inv')) =>
  queueMail(inPool, clock.now(), {
    tenantId,
    userId: null,
    email,
    kind: 'invitation',
    cause,
    facts: {
      business: 'Salon <b>Süd</b> & Söhne',
      inviter: 'Olivia\r\nBcc: c@evil.example',
      url: 'https://booking.example/invite/SECRET-TOKEN',
      endsAt: new Date('2026-12-05T10:00:00Z'),
    },
  });

test('a mail is sealed while it waits, sent as text and HTML, and erased when it is sent', async () => {
  const email = address();
  const id = await queue(email);
  const [waiting] = (await database.query('SELECT m::text AS text FROM mails m')).rows as { text: string }[];
  expect(waiting?.text).not.toContain(Buffer.from('SECRET-TOKEN').toString('hex'));
  expect(waiting?.text).not.toContain('SECRET');
  expect(await deliver()).toBe(1);
  const [{ raw, text, from, to } = { raw: '', text: '', from: '', to: [] as string[] }] = mail.received;
  expect({ from, to }).toEqual({ from: 'booking@platform.example', to: [email] });
  expect(text).toContain('Olivia Bcc: c@evil.example invited you to the Control Center of Salon <b>Süd</b> & Söhne.');
  expect(text).toContain('https://booking.example/invite/SECRET-TOKEN');
  expect(raw).toContain(`Message-ID: <${id}@localhost>`);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/im);
  expect(raw).toContain('text/html');
  expect(raw.slice(raw.indexOf('text/html'))).not.toContain('<b>S');
  expect(raw).not.toMatch(/^Bcc:/im);
  expect(await row(id)).toMatchObject({ sealed: null, nextAttemptAt: null, unanswered: 0, problem: null });
  expect(await deliver()).toBe(0);
  expect(mail.received).toHaveLength(1);
});

test('a mail is inserted with its cause or not at all, and a cause mails an address once', async () => {
  const email = address();
  const facts = { network: '192.0.2.1', browser: null, at: clock.now() };
  const of = { tenantId: null, userId: null, email, kind: 'new_sign_in', cause: 'ses_1', facts } as const;
  await expect(
    db().$transaction(async (tx) => {
      await queueMail(inPrisma(tx), clock.now(), of);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await db().mail.count()).toBe(0);
  const both = await Promise.all([1, 2].map(() => queueMail(inPool, clock.now(), of)));
  expect(both.filter((id) => id !== null)).toHaveLength(1);
  expect(await db().mail.count()).toBe(1);
});

test('a server that first answers "later" gets the mail again after a growing pause', async () => {
  mail.behave({ onRcptTo: () => refusal(450) });
  const id = await queue();
  expect(await deliver()).toBe(0);
  expect(await row(id)).toMatchObject({
    attempts: 1,
    problem: 'The mail server does not yet take the recipient (450)',
  });
  expect(await deliver()).toBe(0);
  expect(await row(id)).toMatchObject({ attempts: 1 });
  clock.advance(MINUTE);
  await deliver();
  mail.behave({ onData: () => refusal(451) });
  clock.advance(2 * MINUTE);
  await deliver();
  expect(await row(id)).toMatchObject({ attempts: 3, unanswered: 0 });
  mail.behave({});
  clock.advance(5 * MINUTE);
  expect(await deliver()).toBe(1);
  expect(mail.received).toHaveLength(2);
});

test('a refused recipient or message is given up, and the text of the server is not stored', async () => {
  mail.behave({ onRcptTo: () => refusal(550) });
  const first = await queue();
  await deliver();
  mail.behave({ onData: () => refusal(554) });
  const second = await queue();
  await deliver();
  for (const id of [first, second]) {
    const { failedAt, sealed, problem } = await row(id);
    expect([failedAt, sealed]).toEqual([clock.now(), null]);
    expect(problem).toMatch(/^The mail server refused the (recipient \(550\)|message \(554\))$/);
  }
  const state = await readMailState(tenantId);
  expect(state).toMatchObject({ on: true, waiting: 0, last_problem: { given_up: true } });
  expect(await readMailState((await makeTenant()).id)).toMatchObject({ waiting: 0, last_problem: null });
});

test('a message without an answer is sent once more, with the same Message-ID, and then given up', async () => {
  mail.behave({ onData: () => 'die' });
  const id = await queue();
  await deliver();
  expect(await row(id)).toMatchObject({ unanswered: 1, problem: 'The mail server did not answer after the message' });
  clock.advance(MINUTE);
  await deliver();
  clock.advance(60 * MINUTE);
  mail.behave({});
  expect(await deliver()).toBe(0);
  expect(mail.received).toHaveLength(2);
  const ids = mail.received.map(({ raw }) => /^Message-ID: .*$/im.exec(raw)?.[0]);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await row(id)).toMatchObject({ unanswered: 2, sealed: null, failedAt: clock.now() });
});

test('a server that hangs after the message, and then works, gets at most one duplicate', async () => {
  mail.behave({ onData: () => 'hang' });
  const id = await queue();
  await deliver();
  mail.behave({});
  clock.advance(MINUTE);
  expect(await deliver()).toBe(1);
  expect(mail.received).toHaveLength(2);
  expect(await row(id)).toMatchObject({ sentAt: clock.now() });
});

test('the mail of a process that dies while it connects is sent once, and no lease is shared', async () => {
  const ids = await Promise.all(Array.from({ length: 9 }, () => queue()));
  // As a process leaves them that is killed after it has leased its mails.
  await database.query(`UPDATE mails SET attempts = 1, leased_until = $1 WHERE id = ANY ($2)`, [
    new Date(clock.now().getTime() + 90_000),
    ids.slice(0, 3),
  ]);
  const sent = await Promise.all([deliver(), deliver(), deliver()]);
  expect(sent.reduce((sum, one) => sum + one)).toBe(6);
  clock.advance(90_000);
  expect(await deliver()).toBe(3);
  expect(new Set(mail.received.map(({ to }) => to[0])).size).toBe(9);
  expect(mail.received).toHaveLength(9);
});

test('a server that hangs, sends garbage, or is absent delays nothing but the mail', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
  const garbage = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'));
  for (const server of [silent, garbage]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server: typeof silent) => (server.address() as { port: number }).port;
  const at = (one: number) => ({
    server: { ...parseSmtpUrl(`smtp://127.0.0.1:${one}`), step: 300 },
    from: 'a@b.example',
  });
  const id = await queue();
  const begun = performance.now();
  for (const one of [port(silent), port(garbage), 1]) {
    expect(await deliverMails(clock.now, at(one))).toBe(0);
    clock.advance(60 * MINUTE);
  }
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(await row(id)).toMatchObject({ attempts: 3, unanswered: 0 });
  for (const socket of sockets) socket.destroy();
  for (const server of [silent, garbage]) await new Promise((resolve) => server.close(resolve));
  expect(await deliver()).toBe(1);
});

test('a mail that is too old, or whose recipient has left, is given up', async () => {
  const person = await makePerson(tenantId);
  const left = await queueMail(inPool, clock.now(), {
    tenantId,
    userId: person.userId,
    email: person.email,
    kind: 'overlaps',
    cause: 'a',
    facts: { business: 'A', count: 1, url: 'https://booking.example' },
  });
  await db().membership.deleteMany({ where: { userId: person.userId } });
  expect(await deliver()).toBe(0);
  expect(await row(left)).toMatchObject({ problem: 'The recipient is no member anymore', sealed: null });
  const old = await queue();
  clock.advance(73 * 60 * MINUTE);
  expect(await deliver()).toBe(0);
  expect(await row(old)).toMatchObject({ problem: 'The mail server was not reached in time', sealed: null });
  expect(mail.received).toHaveLength(0);
});

test.each(['a@b.example\r\nRCPT TO:<c@d.example>', 'a@b.example\n', 'a b@c.example', '<a@b.example>,c', 'ü@b.example'])(
  'the address %j gets no mail',
  async (email) => {
    expect(await queue(email)).toBeNull();
    expect(await db().mail.count()).toBe(0);
  },
);

test('a tenant and an address get a bounded number of mails in 24 hours', async () => {
  await database.query(
    `INSERT INTO mails (id, tenant_id, kind, cause, email, created_at, expires_at, sent_at)
     SELECT 'mal_0' || lpad(n::text, 25, '0'), $1, 'test', n::text, 'a@b.example', $2, $2::timestamptz + interval '1 hour', $2
     FROM generate_series(1, 500) AS n`,
    [tenantId, clock.now()],
  );
  expect(await queue()).toBeNull();
  clock.advance(24 * 60 * MINUTE + 1);
  expect(await queue()).not.toBeNull();
  const email = address();
  const signIn = { network: '192.0.2.7', browser: null, at: clock.now() };
  const ask = () =>
    queueMail(inPool, clock.now(), { tenantId: null, userId: null, email, kind: 'new_sign_in', facts: signIn });
  const queued: (string | null)[] = [];
  for (let n = 0; n < 32; n += 1) queued.push(await ask());
  expect(queued.filter((id) => id !== null)).toHaveLength(30);
  // A warning is not suppressed by them.
  const facts = { change: 'user.password_changed', at: clock.now() } as const;
  const warning = { tenantId: null, userId: null, email, kind: 'account_changed', facts } as const;
  expect(await queueMail(inPool, clock.now(), warning)).not.toBeNull();
});

test('STARTTLS is required, its certificate is checked, and the password is sent only then', async () => {
  const file = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../../support/internet/${name}`, import.meta.url)));
  const tls = { cert: file('mail-cert.pem'), key: file('mail-key.pem') };
  const signIns: string[] = [];
  const secure = await startMailServer(
    {},
    {
      ...tls,
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ username, password }, _, done) => {
        signIns.push(`${username} ${password}`);
        if (password === 'p@ss word') done(null, { user: 'booking' });
        else done(refusal(535));
      },
    },
  );
  const { port } = new URL(secure.url);
  const at = (password: string) => ({
    ...parseSmtpUrl(`smtp://booking:${encodeURIComponent(password)}@127.0.0.1:${port}?starttls=required`),
    step: 2_000,
  });
  expect(await checkServer(at('p@ss word'), 'a@b.example')).toMatch(
    /could not be encrypted|connection to the mail server failed/,
  );
  expect(signIns).toEqual([]);
  const trusted = (password: string) => ({ ...at(password), ca: tls.cert.toString() });
  expect(await checkServer(trusted('wrong'), 'a@b.example')).toMatch(
    /refused the user or the password of SMTP_URL \(535\)/,
  );
  const plain = { ...at('p@ss word'), port: Number(new URL(mail.url).port) };
  expect(await checkServer(plain, 'a@b.example')).toMatch(/could not be encrypted/);
  const id = await queue();
  expect(await deliverMails(clock.now, { server: trusted('p@ss word'), from: 'a@b.example' })).toBe(1);
  expect(secure.received).toMatchObject([{ secure: true }]);
  expect(await row(id)).toMatchObject({ problem: null });
  await secure.close();
});

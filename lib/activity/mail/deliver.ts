import MailComposer from 'nodemailer/lib/mail-composer';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { open, placeIn } from '@/lib/platform/secrets';
import { bind, nullable, param, statement } from '@/lib/platform/sql';
import type { Language } from '@/lib/platform/text/languages';
import { countMail } from '../metrics/counters';
import type { MailText, QueuedText } from './facts';
import { isNoticeKind } from './kinds';
import { type Outcome, type Server, sendMessage } from './smtp';
import { endOf } from './texts';
import { unsubscribeUrl } from './unsubscribe';

/** Milliseconds of a lease, which is longer than any attempt. The mail of a killed process is sent again after it. */
const LEASE = 90_000;
const CONCURRENT = 4;
/** Milliseconds after which a run starts no further attempt. */
const MAX_TIME = 20_000;
/** Maximum number of attempts. The last ones are a day apart from the first, so the age of a mail usually ends it. */
const MAX_ATTEMPTS = 40;
/** A message that was sent this often without an answer is not sent again. */
const MAX_UNANSWERED = 2;

/** Minutes after the first, second, and later attempts. */
const PAUSES = [1, 2, 5, 10, 15, 30, 60];

const pauseAfter = (attempts: number) => (PAUSES[attempts - 1] ?? 60) * 60_000;

type Leased = {
  id: string;
  tenantId: string | null;
  userId: string | null;
  kind: string;
  email: string;
  sealed: Buffer;
  createdAt: Date;
  attempts: number;
};

// A former member gets nothing more about the tenant.
const GIVE_UP = statement<{ id: string }>('mail-give-up')`
  UPDATE mails SET failed_at = ${param.timestamptz('now')}, next_attempt_at = NULL, sealed = NULL, leased_until = NULL,
    problem = CASE WHEN unanswered >= ${MAX_UNANSWERED} THEN 'The mail server did not answer after the message, twice'
      WHEN expires_at <= ${param.timestamptz('now')} OR attempts >= ${MAX_ATTEMPTS}
        THEN coalesce(problem, 'The mail server was not reached in time')
      ELSE 'The recipient is no member anymore' END
  WHERE next_attempt_at IS NOT NULL AND (leased_until IS NULL OR leased_until <= ${param.timestamptz('now')})
    AND (expires_at <= ${param.timestamptz('now')} OR attempts >= ${MAX_ATTEMPTS} OR unanswered >= ${MAX_UNANSWERED}
      OR tenant_id IS NOT NULL AND user_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM memberships m WHERE m.tenant_id = mails.tenant_id AND m.user_id = mails.user_id))
  RETURNING id`;

// Mails without a tenant come first, because a person waits for a link.
const LEASE_DUE = statement<Leased>('mail-lease')`
  UPDATE mails SET leased_until = ${param.timestamptz('leasedUntil')}, attempts = attempts + 1
  WHERE id IN (
    SELECT id FROM mails
    WHERE next_attempt_at <= ${param.timestamptz('now')}
      AND (leased_until IS NULL OR leased_until <= ${param.timestamptz('now')})
    ORDER BY tenant_id IS NOT NULL, next_attempt_at, id LIMIT ${CONCURRENT} FOR UPDATE SKIP LOCKED)
  RETURNING id, tenant_id AS "tenantId", user_id AS "userId", kind, email, sealed, created_at AS "createdAt", attempts`;

// Committed before the message is sent. If this process or the mail server then dies, the mail counts as perhaps sent.
const BEGIN_DATA = statement<{ id: string }>('mail-begin-data')`
  UPDATE mails SET unanswered = unanswered + 1
  WHERE id = ${param.text('id')} AND attempts = ${param.int('attempts')} AND unanswered < ${MAX_UNANSWERED}
  RETURNING id`;

const SENT = statement<never>('mail-sent')`
  UPDATE mails SET sent_at = ${param.timestamptz('now')}, next_attempt_at = NULL, sealed = NULL, leased_until = NULL,
    problem = NULL, unanswered = GREATEST(unanswered - 1, 0)
  WHERE id = ${param.text('id')} AND next_attempt_at IS NOT NULL`;

const FAILED = statement<never>('mail-failed')`
  UPDATE mails SET failed_at = ${param.timestamptz('now')}, next_attempt_at = NULL, sealed = NULL, leased_until = NULL,
    problem = ${param.text('problem')}
  WHERE id = ${param.text('id')} AND attempts = ${param.int('attempts')} AND next_attempt_at IS NOT NULL`;

const RETRY = statement<never>('mail-retry')`
  UPDATE mails SET next_attempt_at = ${param.timestamptz('nextAt')}, leased_until = NULL,
    problem = ${nullable(param.text('problem'))}, unanswered = unanswered - ${param.int('answered')}
  WHERE id = ${param.text('id')} AND attempts = ${param.int('attempts')} AND next_attempt_at IS NOT NULL`;

/**
 * Sends the mails that are due, until none is, `MAX_TIME` has passed, or the mail server cannot be used. Several processes
 * can do this at the same time. Returns the number of sent mails.
 */
export async function deliverMails(
  clock: () => Date,
  { server, from }: { server: Server; from: string },
  signal?: AbortSignal,
): Promise<number> {
  const deadline = performance.now() + MAX_TIME;
  const { rowCount } = await pool().query(bind(GIVE_UP, { now: clock() }));
  if (rowCount) countMail('failed', rowCount);
  let sent = 0;
  while (performance.now() < deadline && !signal?.aborted) {
    const now = clock();
    const leasedUntil = new Date(now.getTime() + LEASE);
    const { rows } = await pool().query<Leased>(bind(LEASE_DUE, { now, leasedUntil }));
    if (rows.length === 0) break;
    const results = await Promise.all(rows.map((mail) => deliverMail(clock, mail, { server, from }, signal)));
    sent += results.filter((result) => result === 'sent').length;
    if (results.includes('server')) break;
  }
  return sent;
}

async function deliverMail(
  clock: () => Date,
  mail: Leased,
  { server, from }: { server: Server; from: string },
  signal?: AbortSignal,
): Promise<Outcome['result']> {
  const { id, attempts, email: to } = mail;
  let begun = false;
  const beforeData = async () => {
    const { rowCount } = await pool().query(bind(BEGIN_DATA, { id, attempts }));
    if (rowCount !== 1) throw new Error('the lease of the mail has ended');
    begun = true;
  };
  const text = textIn(mail);
  const outcome: Outcome = text
    ? await sendMessage(server, { from, to, raw: await compose({ ...mail, text }, from), beforeData }, signal)
    : { result: 'refused', forever: false, problem: 'The mail cannot be decrypted with SECRET_KEY' };
  const now = clock();
  const { result } = outcome;
  const stopped = signal?.aborted === true && !begun;
  if (result === 'sent') {
    await pool().query(bind(SENT, { id, now }));
    countMail('sent');
  } else if (result === 'refused' && outcome.forever) {
    await pool().query(bind(FAILED, { id, attempts, now, problem: outcome.problem }));
    countMail('failed');
  } else {
    const answered = begun && result !== 'unanswered' ? 1 : 0;
    const nextAt = stopped ? now : new Date(now.getTime() + pauseAfter(attempts));
    const problem = stopped ? null : outcome.problem;
    await pool().query(bind(RETRY, { id, attempts, nextAt, answered, problem }));
    if (!stopped) countMail('retried');
  }
  return result;
}

/** Returns what a mail says, or null if this process lacks the secret with which it was sealed. */
function textIn({ id, sealed }: Leased): MailText | null {
  try {
    return JSON.parse(open(sealed, placeIn('mails.sealed', id))) as MailText;
  } catch {
    return null;
  }
}

/** A mail that is about to be sent. */
export type Composed = {
  id: string;
  kind: string;
  tenantId: string | null;
  userId: string | null;
  email: string;
  createdAt: Date;
  text: QueuedText;
};

/**
 * Returns a mail as it is sent, as plain text and HTML. Its Message-ID depends only on the mail, so programs recognize a
 * second copy.
 */
export async function compose(mail: Composed, from: string): Promise<Buffer> {
  const { id, kind, userId, tenantId, email, createdAt, text } = mail;
  const { origin } = env();
  const unsubscribe = userId !== null && isNoticeKind(kind) ? unsubscribeUrl({ userId, kind }) : null;
  const { language = 'en' } = text;
  const { choose, refuse } = endOf(language);
  const end = unsubscribe
    ? [
        { text: choose, url: `${origin}/t/${tenantId}/account` },
        { text: refuse, url: unsubscribe },
      ]
    : [];
  const composer = new MailComposer({
    from: { name: 'Partner Booking', address: from },
    to: [{ name: '', address: email }],
    subject: text.subject,
    date: createdAt,
    messageId: `<${id}@${new URL(origin).hostname.replace(/^\[|\]$/g, '')}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    text: plain(text, end, origin),
    html: html(text, end, origin, language),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

type Link = { text: string; url: string };

function plain({ lines, link }: MailText, end: readonly Link[], origin: string): string {
  const links = (all: readonly Link[]) => all.map(({ text, url }) => `${text}:\n${url}`);
  return [...lines, ...links(link ? [link] : []), `--\n${origin}`, ...links(end)].join('\n\n');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

// Mail programs remove style sheets, so every element has its own style. Colors are left to the program and its dark mode.
function html({ subject, lines, link }: MailText, end: readonly Link[], origin: string, language: Language): string {
  const anchor = ({ text, url }: Link) => `<a href="${escaped(url)}">${escaped(text)}</a>`;
  const paragraphs = lines.map((line) => `<p style="margin:0 0 16px">${escaped(line)}</p>`);
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px">
${paragraphs.join('\n')}
${link ? `<p style="margin:0 0 24px;font-weight:600">${anchor(link)}</p>` : ''}
<p style="margin:0;font-size:13px">${[escaped(origin), ...end.map(anchor)].join(' · ')}</p>
</div></body></html>`;
}

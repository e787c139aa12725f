import type pg from 'pg';
import { type Db, pool } from '@/lib/platform/db';
import { smtpSettings } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { placeIn, seal } from '@/lib/platform/secrets';
import { bind, nullable, param, statement } from '@/lib/platform/sql';
import type { Facts, MailKind } from './facts';
import { NOTICES, type NoticeKind } from './kinds';
import { mailLanguage, textOf } from './texts';

/** Maximum number of mails of one tenant in 24 hours. Further ones are dropped. */
const PER_TENANT = 500;

/**
 * Returns the maximum number of mails of one kind to one address in 24 hours, or null without one: the causes of notices
 * bound them. Each kind has its own bound, so that unwanted links for a new password cannot suppress a warning.
 */
function perAddress(kind: MailKind, tenantId: string | null): number | null {
  // A tenant can invite any address, also one whose person does not know the tenant.
  if (kind === 'invitation') return 5;
  // `mailLink` allows fewer. Otherwise, anybody could use up the links, and the person would get none for a day.
  if (kind === 'password_link') return 200;
  // A member can enter any address, also one whose person does not know the deployment.
  if (kind === 'address_link') return 10;
  return tenantId === null ? 30 : null;
}
const MAX_RECIPIENTS = 100;

const HOUR = 3_600_000;

/** Hours for which the mail server is tried, by kind. A link can end earlier than its mail would. */
const HOURS: Partial<Record<MailKind, number>> = {
  password_link: 0.5,
  address_link: 0.5,
  test: 1,
  invitation: 72,
  daily_summary: 12,
};
const DEFAULT_HOURS = 24;

/** Runs a statement in the transaction of the change that causes a mail. */
export type MailTx = <Row>(query: pg.QueryConfig) => Promise<Row[]>;

/** Returns the transaction of Prisma for `queueMail`. */
export function inPrisma(tx: Db): MailTx {
  return ({ text, values = [] }) => tx.$queryRawUnsafe(text, ...values);
}

/** Returns the transaction of a connection for `queueMail`. */
export function inClient(client: pg.ClientBase): MailTx {
  return async <Row>(query: pg.QueryConfig) => (await client.query(query)).rows as Row[];
}

/** For `queueNotice` if no change causes the mail: each statement is a transaction of its own. */
export const inPool: MailTx = async <Row>(query: pg.QueryConfig) => (await pool().query(query)).rows as Row[];

/** Returns whether an address can get mail. */
export function canGetMail(email: string): boolean {
  return email.length <= 254 && ADDRESS.test(email);
}

/** Returns whether mails can be sent. */
export function isMailOn(): boolean {
  return smtpSettings() !== null;
}

/** The addresses that need no quotes (RFC 5321). An account can have others, such as `"a b"@example.com`, which get no mail. */
const ADDRESS = /^[\w!#$%&'*+./=?^`{|}~-]+@[A-Za-z0-9.-]+$/;

// A cause mails an address once. The bound counts without a lock, so concurrent transactions can exceed it by a few.
const INSERT = statement<{ id: string }>('mail-insert')`
  INSERT INTO mails (id, tenant_id, user_id, kind, cause, email, sealed, created_at, expires_at, next_attempt_at)
  SELECT ${param.text('id')}, ${nullable(param.text('tenantId'))}, ${nullable(param.text('userId'))},
    ${param.text('kind')}, ${param.text('cause')}, ${param.text('email')}, ${param.bytea('sealed')},
    ${param.timestamptz('now')}, ${param.timestamptz('expiresAt')}, ${param.timestamptz('now')}
  WHERE (${nullable(param.text('tenantId'))} IS NULL
      OR (SELECT count(*) FROM mails WHERE tenant_id = ${nullable(param.text('tenantId'))}
        AND created_at > ${param.timestamptz('since')}) < ${PER_TENANT})
    AND (${nullable(param.int('perAddress'))} IS NULL
      OR (SELECT count(*) FROM mails WHERE email = ${param.text('email')} AND kind = ${param.text('kind')}
        AND tenant_id IS NOT DISTINCT FROM ${nullable(param.text('tenantId'))}
        AND created_at > ${param.timestamptz('since')}) < ${nullable(param.int('perAddress'))})
  ON CONFLICT (kind, cause, email) DO NOTHING
  RETURNING id`;

const LANGUAGE = statement<{ tag: string | null }>('mail-language')`
  SELECT coalesce((SELECT language FROM users WHERE id = ${nullable(param.text('userId'))}),
    (SELECT default_locale FROM tenants WHERE id = ${nullable(param.text('tenantId'))})) AS tag`;

type Queued<Kind extends MailKind> = {
  tenantId: string | null;
  userId: string | null;
  email: string;
  kind: Kind;
  /** Identifies what caused the mail. It is an id, or an id and a word. Default: every call mails. */
  cause?: string;
  facts: Facts[Kind];
};

/**
 * Queues a mail in the transaction of its cause. Returns its id, or null if nothing is mailed: without a mail server, for
 * an address that cannot be one, for a cause that has mailed the address, and beyond the bounds. The mail is in the
 * language that the user chose, or else in that of the business.
 */
export async function queueMail<Kind extends MailKind>(
  run: MailTx,
  now: Date,
  { tenantId, userId, email, kind, cause, facts }: Queued<Kind>,
): Promise<string | null> {
  if (!isMailOn() || !canGetMail(email)) return null;
  const id = newId('mal');
  const [found] = await run<{ tag: string | null }>(bind(LANGUAGE, { userId, tenantId }));
  const language = mailLanguage(found?.tag ?? null);
  const text = { ...textOf(language, kind, facts), language };
  const sealed = seal(JSON.stringify(text), placeIn('mails.sealed', id));
  const expiresAt = new Date(now.getTime() + (HOURS[kind] ?? DEFAULT_HOURS) * HOUR);
  const row = { id, tenantId, userId, kind, cause: cause ?? id, email, sealed, now, expiresAt };
  const since = new Date(now.getTime() - 24 * HOUR);
  const [inserted] = await run<{ id: string }>(bind(INSERT, { ...row, since, perAddress: perAddress(kind, tenantId) }));
  return inserted?.id ?? null;
}

// An address that nobody has proven may belong to somebody else, who must learn nothing about the tenant.
const RECIPIENTS = statement<{ userId: string; email: string }>('mail-recipients')`
  SELECT u.id AS "userId", u.email FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.tenant_id = ${param.text('tenantId')} AND m.role::text = ANY (${param.texts('roles')})
    AND u.address_proven_at IS NOT NULL AND u.closed_at IS NULL AND ${param.text('kind')} <> ALL (u.unwanted_mails)
  ORDER BY u.id LIMIT ${MAX_RECIPIENTS}`;

type Notice<Kind extends NoticeKind> = { tenantId: string; kind: Kind; cause: string; facts: Facts[Kind] };

/**
 * Queues a notice for every member of a tenant who may know about it and has not refused its kind. Only proven addresses
 * get one. A cause mails each member once.
 */
export async function queueNotice<Kind extends NoticeKind>(
  run: MailTx,
  now: Date,
  { tenantId, kind, cause, facts }: Notice<Kind>,
): Promise<void> {
  if (!isMailOn()) return;
  const to = await run<{ userId: string; email: string }>(
    bind(RECIPIENTS, { tenantId, roles: NOTICES[kind].roles, kind }),
  );
  for (const recipient of to) await queueMail<MailKind>(run, now, { tenantId, ...recipient, kind, cause, facts });
  log().debug({ kind, recipients: to.length }, 'notice queued');
}

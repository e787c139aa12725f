import { createHmac, timingSafeEqual } from 'node:crypto';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { isId } from '@/lib/platform/ids';
import { acceptedTokenKeys, tokenKeyFor } from '@/lib/platform/secrets';
import { bind, param, sql, statement } from '@/lib/platform/sql';
import { isNoticeKind, NOTICES, type NoticeKind } from './kinds';

/** A kind of notices that a person does not want. */
export type Refusal = { userId: string; kind: NoticeKind };

const signatureOf = ({ userId, kind }: Refusal, key: Buffer) =>
  createHmac('sha256', key).update(`unsubscribe ${userId} ${kind}`).digest('base64url');

/** Returns the URL that refuses a kind of notices for a person, without a sign-in. Mail programs send a POST to it. */
export function unsubscribeUrl(refusal: Refusal): string {
  const token = `${refusal.userId}.${refusal.kind}.${signatureOf(refusal, tokenKeyFor('mail'))}`;
  return `${env().origin}/api/unsubscribe?token=${token}`;
}

/** Returns what the token in such a URL refuses, or null if the token is not valid. */
export function refusalOf(token: string): Refusal | null {
  if (token.length > 200) return null;
  const [userId = '', kind = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !isId('usr', userId) || !isNoticeKind(kind)) return null;
  const given = Buffer.from(signature);
  const matches = acceptedTokenKeys('mail').some((key) => {
    const expected = Buffer.from(signatureOf({ userId, kind }, key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return matches ? { userId, kind } : null;
}

const WITHOUT = sql`SELECT coalesce(array_agg(one), '{}') FROM unnest(unwanted_mails) AS one WHERE one <> ${param.text('kind')}`;

const REFUSE = statement<never>('mail-refuse')`
  UPDATE users SET unwanted_mails = (${WITHOUT}) || ${param.text('kind')}
  WHERE id = ${param.text('userId')} AND closed_at IS NULL`;

const ACCEPT = statement<never>('mail-accept')`
  UPDATE users SET unwanted_mails = (${WITHOUT}) WHERE id = ${param.text('userId')} AND closed_at IS NULL`;

/** Sets whether a person wants a kind of notices, in all tenants of the person. */
export async function chooseMail({ userId, kind }: Refusal, wanted: boolean): Promise<void> {
  await pool().query(bind(wanted ? ACCEPT : REFUSE, { userId, kind }));
}

const CHOSEN = statement<{ email: string; proven: boolean; unwanted: string[] }>('mail-chosen')`
  SELECT email, address_proven_at IS NOT NULL AS proven, unwanted_mails AS unwanted
  FROM users WHERE id = ${param.text('userId')}`;

/** Which kinds of notices a person wants. */
export type MailChoices = {
  email: string;
  /** Notices are mailed only to a proven address. */
  address_proven: boolean;
  kinds: { kind: NoticeKind; wanted: boolean }[];
};

/** Returns the kinds of notices for a role, and which of them a person wants. */
export async function readChoices(userId: string, role: 'OWNER' | 'SUPPORT' | 'FRONT_DESK'): Promise<MailChoices> {
  const { rows } = await pool().query<{ email: string; proven: boolean; unwanted: string[] }>(bind(CHOSEN, { userId }));
  const { email = '', proven = false, unwanted = [] } = rows[0] ?? {};
  const kinds = Object.entries(NOTICES).flatMap(([kind, { roles }]) =>
    isNoticeKind(kind) && roles.includes(role) ? [{ kind, wanted: !unwanted.includes(kind) }] : [],
  );
  return { email, address_proven: proven, kinds };
}

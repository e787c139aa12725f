import { createHmac, randomBytes } from 'node:crypto';
import { isToken } from '@/lib/access/owners/link-token';
import type { Actor } from '@/lib/activity/audit/actor';
import { type AuditedChange, recordChange } from '@/lib/activity/audit/record';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import type { CalendarFeed } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { hashKeyFor } from '@/lib/platform/secrets';

/** Milliseconds after which a read is recorded again, so that a frequent reader causes few writes. */
const READ_RECORDED_EVERY = 60_000;

const MAX_SHOWN = 1_000;

/** What a feed contains: the bookings of a specialist, of a location, or of the whole business. */
export type Subject = { kind: 'specialist' | 'location'; id: string } | { kind: 'business' };

/**
 * Returns the keyed hash of a feed's token. The database contains this hash instead of the token. The prefix separates
 * these hashes from those of API keys, which have the same HMAC key: a deployment that has rotated SECRET_KEY has no keys
 * for further purposes.
 */
function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', hashKeyFor('api-key')).update(`calendar feed ${token}`).digest());
}

function columnsOf(subject: Subject) {
  return {
    specialistId: subject.kind === 'specialist' ? subject.id : null,
    locationId: subject.kind === 'location' ? subject.id : null,
  };
}

function subjectOf({ specialistId, locationId }: Pick<CalendarFeed, 'specialistId' | 'locationId'>): Subject {
  if (specialistId !== null) return { kind: 'specialist', id: specialistId };
  return locationId === null ? { kind: 'business' } : { kind: 'location', id: locationId };
}

/** A feed in the list. The list contains no URLs. */
export type FeedSummary = { id: string; subject: Subject; name: string; issued_at: Date; last_read_at: Date | null };

/** Returns the feeds of a tenant: first that of the business, then those of locations and of specialists, by name. */
export async function listFeeds(tenantId: string): Promise<FeedSummary[]> {
  const tenant = await db().tenant.findFirst({
    where: { id: tenantId },
    select: {
      name: true,
      defaultLocale: true,
      calendarFeeds: {
        include: NAMED,
        omit: { tokenHash: true },
        orderBy: { createdAt: 'asc' },
        take: MAX_SHOWN,
      },
    },
  });
  if (!tenant) throw notFound();
  const feeds = tenant.calendarFeeds.map((feed) => {
    return {
      id: feed.id,
      subject: subjectOf(feed),
      name: nameOf(feed, tenant),
      issued_at: feed.issuedAt,
      last_read_at: feed.lastReadAt,
    };
  });
  const order: Subject['kind'][] = ['business', 'location', 'specialist'];
  return feeds.sort(
    (a, b) =>
      order.indexOf(a.subject.kind) - order.indexOf(b.subject.kind) ||
      (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
  );
}

const NAMED = {
  specialist: { select: { displayName: true } },
  location: { select: { name: true, city: true } },
} as const;

type Named = { specialist: { displayName: string } | null; location: { name: unknown; city: string } | null };

function nameOf({ specialist, location }: Named, tenant: { name: string; defaultLocale: string }): string {
  if (specialist) return specialist.displayName;
  if (!location) return tenant.name;
  const text: unknown = Reflect.get(Object(location.name), tenant.defaultLocale);
  return typeof text === 'string' ? text : location.city;
}

/** A feed with its URL. Only the hash of the URL's token is stored, so the URL cannot be shown again. */
export type IssuedFeed = { id: string; url: string };

type By = { tenantId: string; actor: Actor };

function issueToken(): { url: string; tokenHash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(32).toString('base64url');
  return { url: `${env().origin}/api/calendar/${token}`, tokenHash: hashToken(token) };
}

/** @throws AppError not_found if the tenant has no such specialist or location; invalid_request if there is a feed already. */
export async function createFeed(now: Date, by: By, subject: Subject): Promise<IssuedFeed> {
  const { tenantId } = by;
  const { url, tokenHash } = issueToken();
  const id = newId('cal');
  await db().$transaction(async (tx) => {
    await requireSubject(tx, tenantId, subject);
    const columns = columnsOf(subject);
    const { count } = await tx.calendarFeed.createMany({
      data: [{ id, tenantId, ...columns, tokenHash, createdAt: now, issuedAt: now }],
      skipDuplicates: true,
    });
    if (count === 0) throw invalidField('subject', 'already has a calendar feed');
    await recordFeed(tx, now, by, { action: 'created', id, subject });
  });
  return { id, url };
}

async function requireSubject(tx: Db, tenantId: string, subject: Subject): Promise<void> {
  if (subject.kind === 'business') return;
  const select = { where: { tenantId, id: subject.id }, select: { id: true } };
  const found = await (subject.kind === 'specialist' ? tx.specialist.findFirst(select) : tx.location.findFirst(select));
  if (!found) throw notFound();
}

/** Ends the former URL, and returns the new one. @throws AppError not_found if the tenant has no such feed. */
export async function replaceFeed(now: Date, by: By, id: string): Promise<IssuedFeed> {
  const { url, tokenHash } = issueToken();
  await db().$transaction(async (tx) => {
    const [feed] = await tx.calendarFeed.updateManyAndReturn({
      where: { id, tenantId: by.tenantId },
      data: { tokenHash, issuedAt: now, lastReadAt: null },
      omit: { tokenHash: true },
    });
    if (!feed) throw notFound();
    await recordFeed(tx, now, by, { action: 'replaced', id, subject: subjectOf(feed) });
  });
  return { id, url };
}

/** Deletes the feed. The audit log keeps the record of it. @throws AppError not_found if the tenant has no such feed. */
export async function revokeFeed(now: Date, by: By, id: string): Promise<void> {
  await db().$transaction(async (tx) => {
    const feed = await tx.calendarFeed.findFirst({ where: { id, tenantId: by.tenantId }, omit: { tokenHash: true } });
    const { count } = await tx.calendarFeed.deleteMany({ where: { id, tenantId: by.tenantId } });
    // Of two members who revoke a feed at the same time, only one has deleted it.
    if (!feed || count === 0) throw notFound();
    await recordFeed(tx, now, by, { action: 'revoked', id, subject: subjectOf(feed) });
  });
}

type Recorded = { action: 'created' | 'replaced' | 'revoked'; id: string; subject: Subject };

function recordFeed(tx: Db, now: Date, by: By, { action, id, subject }: Recorded): Promise<string> {
  const kept = { of: subject.kind, ...('id' in subject ? { [`${subject.kind}_id`]: subject.id } : {}) };
  const change: AuditedChange = {
    ...by,
    action: `calendar_feed.${action}`,
    object: { kind: 'calendar_feed', id },
    ...(action === 'revoked' ? { before: kept } : { after: kept }),
  };
  return recordChange(tx, now, change);
}

/** A feed that a calendar program reads. `name` is that of the specialist, the location, or the business. */
export type Feed = Pick<CalendarFeed, 'id' | 'tenantId' | 'specialistId' | 'locationId' | 'lastReadAt'> & {
  name: string;
};

/**
 * Returns the feed of a URL's token. Returns null if the token is unknown or was revoked, or if the tenant is suspended: the
 * caller must not tell these cases apart.
 */
export async function findFeed(token: string): Promise<Feed | null> {
  if (!isToken(token)) return null;
  const feed = await db().calendarFeed.findFirst({
    where: { tokenHash: hashToken(token), tenant: { suspendedAt: null } },
    include: { ...NAMED, tenant: { select: { name: true, defaultLocale: true } } },
    omit: { tokenHash: true },
  });
  return feed && { ...feed, name: nameOf(feed, feed.tenant) };
}

/** Records that a calendar program has read a feed. */
export async function recordRead(now: Date, { id, tenantId, lastReadAt }: Feed): Promise<void> {
  const due = new Date(now.getTime() - READ_RECORDED_EVERY);
  if (lastReadAt !== null && lastReadAt > due) return;
  await db().calendarFeed.updateMany({
    where: { id, tenantId, OR: [{ lastReadAt: null }, { lastReadAt: { lte: due } }] },
    data: { lastReadAt: now },
  });
}

import { newId } from '@/lib/platform/ids';
import { DAY, formatDay, formatTime } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { partsOf } from '../blocks/days';
import type { BusyTime } from './read';
import { DELETE_BLOCKS, EXISTING, INSERT_BLOCK_DAYS, INSERT_BLOCKS } from './statements';

/** Maximum minutes of a block (constraint `blocks_range`). */
const MAX_BLOCK = 366 * DAY;

/** The calendar whose blocks are replaced, and its specialist or location. */
export type Owner = {
  id: string;
  tenantId: string;
  subjectId: string;
  specialistId: string | null;
  locationId: string | null;
};

type Source = 'calendar' | 'calendar_outage';

/** Returns local minutes as `YYYY-MM-DDTHH:MM`. */
export const textOf = (at: number) =>
  `${formatDay(Math.floor(at / DAY))}T${formatTime(at - Math.floor(at / DAY) * DAY)}`;

const piecesOf = ({ from, to, title }: BusyTime): BusyTime[] => {
  const pieces: BusyTime[] = [];
  for (let at = from; at < to; at += MAX_BLOCK) pieces.push({ from: at, to: Math.min(to, at + MAX_BLOCK), title });
  return pieces;
};

/**
 * Makes the blocks of a calendar equal to its busy times from the day `since` on, and changes only those that differ.
 * Blocks before that day stay, as history. The caller has locked the calendar, so no two transactions add the same.
 */
export async function replaceBlocks(
  tx: WriteTx,
  now: Date,
  { id, tenantId, ...subject }: Owner,
  source: Source,
  busy: readonly BusyTime[],
  since: number,
): Promise<void> {
  const existing = await tx.query(EXISTING, { tenantId, id, source, since: textOf(since * DAY) });
  const keyOf = (from: string, to: string, reason: string | null) => `${from} ${to} ${reason ?? ''}`;
  const wanted = new Map(
    busy.flatMap(piecesOf).map(({ from, to, title }) => {
      const [start, end] = [textOf(from), textOf(to)];
      return [keyOf(start, end, title), { from: start, to: end, title }];
    }),
  );
  const removed: string[] = [];
  for (const block of existing) if (!wanted.delete(keyOf(block.from, block.to, block.reason))) removed.push(block.id);
  if (removed.length > 0) await tx.query(DELETE_BLOCKS, { tenantId, ids: removed });
  const added = [...wanted.values()].map((time) => ({ ...time, id: newId('blk') }));
  if (added.length === 0) return;
  await tx.query(INSERT_BLOCKS, {
    ...subject,
    ...{ tenantId, calendarId: id, source, now },
    ids: added.map((block) => block.id),
    from: added.map(({ from }) => from),
    to: added.map(({ to }) => to),
    lastDays: added.map((block) => formatDay(partsOf({ ...block, repeat: null }).at(-1)?.day ?? 0)),
    reasons: added.map(({ title }) => title ?? ''),
  });
  await insertDays(tx, { tenantId, subjectId: subject.subjectId }, added);
}

/** Adds the days of blocks, so that their time is busy. */
export async function insertDays(
  tx: WriteTx,
  subject: { tenantId: string; subjectId: string },
  blocks: readonly { id: string; from: string; to: string }[],
): Promise<void> {
  const days = blocks.flatMap((block) =>
    partsOf({ ...block, repeat: null }).map((part) => ({ ...part, id: block.id })),
  );
  await tx.query(INSERT_BLOCK_DAYS, {
    ...subject,
    blockIds: days.map(({ id }) => id),
    days: days.map(({ day }) => day),
    fromMinutes: days.map(({ from }) => from),
    toMinutes: days.map(({ to }) => to),
  });
}

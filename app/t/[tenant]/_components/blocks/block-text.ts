'use client';

import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import { DAY } from '../time/moments';
import type { BlockRecord } from './use-block-changes';

/** What texts about blocks need: messages, the short names of weekdays, and the reader's formats. */
export type BlockWords = {
  t: Translator<'common.blocks'>;
  weekday: Translator<'words.weekdaysShort'>;
  format: Formats;
};

/** A weekday in ISO order: 1 is Monday. */
export type Weekday = '1' | '2' | '3' | '4' | '5' | '6' | '7';

export const WEEKDAYS: readonly Weekday[] = ['1', '2', '3', '4', '5', '6', '7'];

/** Returns when a block is, such as `Nov 22, 2026, 10:00–11:00, every 2 weeks on Mon until Jan 31, 2027`. */
function blockText(
  { t, weekday, format }: BlockWords,
  { from, to, repeat }: Pick<BlockRecord, 'from' | 'to' | 'repeat'>,
): string {
  const dateText = (date: string) => format.dateTime(DAY, 'UTC').format(new Date(`${date}T00:00:00Z`));
  const [date, start, endDate, end] = [from.slice(0, 10), from.slice(11), to.slice(0, 10), to.slice(11)];
  const range =
    endDate === date
      ? t('range', { date: dateText(date), start, end })
      : t('longRange', { date: dateText(date), start, endDate: dateText(endDate), end });
  if (repeat === null) return range;
  const days = repeat.weekdays.map((day) => weekday(String(day) as Weekday)).join(', ');
  return t('repeated', { range, weeks: repeat.every_weeks, days, until: dateText(repeat.until) });
}

type Block = Parameters<typeof blockText>[1];

/** Returns the function that says when a block is. */
export function useBlockText(): (block: Block) => string {
  const t = useTranslations('common.blocks');
  const weekday = useTranslations('words.weekdaysShort');
  const format = useFormats();
  return (block) => blockText({ t, weekday, format }, block);
}

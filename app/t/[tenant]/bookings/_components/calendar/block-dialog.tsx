'use client';

import { Anchor } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { BlockTimes, SubjectChoice } from '../../../_components/blocks/block-form';
import type { BlockRecord, Subject } from '../../../_components/blocks/use-block-changes';
import { Dialog } from '../../../_components/dialogs/dialog';
import { clockText, localMinute } from '../format';
import { newBookingHref } from '../query';
import type { BookingDay } from '../types';
import type { BlockOpener } from './use-selection';

const BlockForm = dynamic(() => import('../../../_components/blocks/block-form').then((module) => module.BlockForm), {
  ssr: false,
});

type Target = { choices: SubjectChoice[]; block: BlockRecord | null; times: BlockTimes; bookHref: string | null };

/** Returns the dialog for the blocks of a day's schedule, and the function that opens it. */
export function useBlockDialog(day: BookingDay) {
  const t = useTranslations('bookings.block');
  const [target, setTarget] = useState<Target | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { date, clock, location, columns } = day;
  const all = choicesOf(t, location, columns);
  const timeAt = (minute: number) =>
    minute >= clock.minutes ? `${dayAfter(date)}T00:00` : `${date}T${clockText(localMinute(clock, minute))}`;
  const open: BlockOpener = (wanted) => {
    if (wanted && 'block' in wanted) {
      const { block } = wanted;
      setTarget({ choices: all.filter(({ subject }) => isOf(block, subject)), block, times: block, bookHref: null });
    } else {
      const first = all.filter(({ subject }) => subject.specialist_id === wanted?.column.specialist?.id);
      const times = wanted
        ? { from: timeAt(wanted.selection.from), to: timeAt(wanted.selection.to) }
        : { from: `${date}T09:00`, to: `${date}T10:00` };
      const bookHref =
        wanted &&
        newBookingHref({
          location: location.id,
          date,
          specialist: wanted.column.specialist?.id ?? null,
          time: clockText(localMinute(clock, wanted.selection.from)),
        });
      const choices = [...first, ...all.filter((choice) => !first.includes(choice))];
      setTarget({ choices, block: null, times, bookHref });
    }
    setOpen(true);
  };
  const dialog = (
    <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t(target?.block ? 'edit' : 'new')}>
      {target?.bookHref && (
        <Anchor component={Link} href={target.bookHref} size="sm" display="block" mb="sm">
          {t('book')}
        </Anchor>
      )}
      {target && (
        <BlockForm choices={target.choices} block={target.block} times={target.times} onClose={() => setOpen(false)} />
      )}
    </Dialog>
  );
  return { open, dialog };
}

function choicesOf(
  t: Translator<'bookings.block'>,
  location: BookingDay['location'],
  columns: BookingDay['columns'],
): SubjectChoice[] {
  return [
    ...columns.map(({ specialist: { id, name } }) => ({
      subject: { specialist_id: id, location_id: null },
      label: name,
    })),
    { subject: { specialist_id: null, location_id: location.id }, label: t('everyone', { location: location.name }) },
    { subject: { specialist_id: null, location_id: null }, label: t('business') },
  ];
}

const isOf = (block: BlockRecord, subject: Subject) =>
  block.specialist_id === subject.specialist_id && block.location_id === subject.location_id;

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}

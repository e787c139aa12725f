'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { shiftDate } from './display/format';

/** Returns today's date in the reader's time zone; null on the server, which does not know the reader's time zone. */
export function useToday(): string | null {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => {
    const now = new Date();
    setToday(new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10));
  }, []);
  return today;
}

type Props = {
  date: string;
  /** Today's date, which the Today button selects. If it is null, the Today button is not shown. */
  today?: string | null;
  onChange: (date: string) => void;
  unit?: 'day' | 'week';
};

/** A date field with buttons for the previous and the next day or week. */
export function DayStepper({ date, today = null, onChange, unit = 'day' }: Props) {
  const t = useTranslations('bookings.stepper');
  return (
    <>
      <TextInput
        label={t('date')}
        type="date"
        value={date}
        onChange={(event) => event.currentTarget.value && onChange(event.currentTarget.value)}
      />
      <DayButtons {...{ date, today, onChange, unit }} />
    </>
  );
}

/** Buttons for the previous and the next day or week, and for today. */
export function DayButtons({ date, today = null, onChange, unit = 'day' }: Props) {
  const t = useTranslations('bookings.stepper');
  const days = unit === 'day' ? 1 : 7;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        px="xs"
        aria-label={t(`previous.${unit}`)}
        onClick={() => onChange(shiftDate(date, -days))}
      >
        <IconChevronLeft size={16} aria-hidden />
      </Button>
      {today !== null && (
        <Button variant="default" disabled={date === today} onClick={() => onChange(today)}>
          {t('today')}
        </Button>
      )}
      <Button variant="default" px="xs" aria-label={t(`next.${unit}`)} onClick={() => onChange(shiftDate(date, days))}>
        <IconChevronRight size={16} aria-hidden />
      </Button>
    </Group>
  );
}

type DateFieldProps = {
  label: string;
  value: string | null;
  onChange: (date: string | null) => void;
  error?: string | null;
};

/** A date field without a visible label above it. */
export function DateField({ label, value, onChange, error = null }: DateFieldProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={<span aria-hidden>{label}</span>}
      leftSectionWidth={52}
      value={value ?? ''}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}

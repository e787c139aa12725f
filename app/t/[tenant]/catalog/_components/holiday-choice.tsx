'use client';

import { Alert, Button, Checkbox, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import type { Inputs, Outputs } from '../../_components/api-types';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { weekdayText } from '../../bookings/_components/format';

export type ClosedDay = Inputs['catalog']['bulk']['close_days']['days'][number];

/** Years from the current one for which holidays can be chosen. */
const YEARS = 3;

type Props = { locationIds: readonly string[]; days: readonly ClosedDay[]; onChange: (days: ClosedDay[]) => void };

/** The public holidays of a country, a region, and a year, of which the user chooses. */
export function HolidayChoice({ locationIds, days, onChange }: Props) {
  const t = useTranslations('catalog.closure');
  const format = useFormats();
  const trpc = useTRPC();
  const [country, setCountry] = useState<string | null>(null);
  const [region, setRegion] = useState<string | null>(null);
  const [thisYear] = useState(() => new Date().getFullYear());
  const [year, setYear] = useState(thisYear);
  const list = useQuery(
    trpc.catalog.holidays.queryOptions({ country, region, year }, { placeholderData: keepPreviousData }),
  );
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={6} height={24} />;
  const { countries, regions, ...shown } = list.data;
  const options = countries.map(({ code }) => ({ value: code, label: format.displayName('region', code) }));
  options.sort((one, other) => format.compare(one.label, other.label));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Select
          label={t('country')}
          searchable
          allowDeselect={false}
          data={options}
          value={shown.country}
          onChange={(code) => {
            setCountry(code);
            setRegion(null);
            onChange([]);
          }}
        />
        <Select
          label={t('region')}
          searchable
          clearable
          placeholder={t('wholeCountry')}
          disabled={regions.length === 0}
          data={regions.map(({ code, name }) => ({ value: code, label: name }))}
          value={region}
          onChange={(code) => {
            setRegion(code);
            onChange([]);
          }}
        />
        <Select
          label={t('year')}
          allowDeselect={false}
          data={Array.from({ length: YEARS }, (_, index) => String(thisYear + index))}
          value={String(year)}
          onChange={(text) => {
            setYear(Number(text));
            onChange([]);
          }}
        />
      </SimpleGrid>
      <Days holidays={shown.holidays} {...{ locationIds, days, onChange }} busy={list.isPlaceholderData} />
    </Stack>
  );
}

type Holiday = Outputs['catalog']['holidays']['holidays'][number];

function Days({ holidays, locationIds, days, onChange, busy }: Props & { holidays: Holiday[]; busy: boolean }) {
  const t = useTranslations('catalog.closure');
  const format = useFormats();
  const closedAt = ({ closed }: Holiday) => closed.filter((id) => locationIds.includes(id)).length;
  const isClosed = (holiday: Holiday) => locationIds.length > 0 && closedAt(holiday) === locationIds.length;
  const open = holidays.filter((holiday) => !isClosed(holiday));
  const dates = days.map(({ date }) => date);
  const choose = (chosen: readonly string[]) =>
    onChange(holidays.filter(({ date }) => chosen.includes(date)).map(({ date, name }) => ({ date, note: name })));
  if (holidays.length === 0) return <Alert color="gray">{t('noHolidays')}</Alert>;
  return (
    <Checkbox.Group label={t('holidays')} value={dates} onChange={choose}>
      <Group mt={6} mb={6}>
        <Button
          variant="default"
          size="compact-xs"
          disabled={open.length === 0 || busy}
          onClick={() => choose(dates.length > 0 ? [] : open.map(({ date }) => date))}
        >
          {t(dates.length > 0 ? 'clearAll' : 'selectAll')}
        </Button>
      </Group>
      <Stack gap={6} opacity={busy ? 0.6 : 1}>
        {holidays.map((holiday) => (
          <Checkbox
            key={holiday.date}
            value={holiday.date}
            disabled={busy || isClosed(holiday)}
            label={
              <>
                {t('holiday', { date: weekdayText(format, holiday.date), name: holiday.name })}
                <ClosedText isClosed={isClosed(holiday)} count={closedAt(holiday)} total={locationIds.length} />
              </>
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function ClosedText({ isClosed, count, total }: { isClosed: boolean; count: number; total: number }) {
  const t = useTranslations('catalog.closure');
  if (count === 0) return null;
  return (
    <Text span size="sm" c="dimmed">
      {' '}
      {isClosed ? t('alreadyClosed') : t('closedAt', { count, total })}
    </Text>
  );
}

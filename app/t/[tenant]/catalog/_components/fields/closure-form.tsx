'use client';

import {
  Alert,
  Button,
  Checkbox,
  Group,
  ScrollArea,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import type { Inputs, Outputs } from '../../../_components/api-types';
import { Form } from '../../../_components/forms/form';
import { FormEnd, Problem } from '../../../_components/forms/form-end';
import { NotLoaded } from '../../../_components/states';
import { useTRPC, useTRPCClient } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { useUndo } from '../../../_components/use-undo';
import { weekdayText } from '../../../bookings/_components/display/format';
import { AffectedDialog, NOTHING_SEEN, useAffected } from '../records/affected-dialog';
import { FieldErrorsProvider, fieldErrorsOf, messagesOf } from '../records/form-context';
import type { Refusal } from '../records/use-record-form';
import type { Choices } from '../types';
import { TextField } from './fields';

type FormProps = { locations: Choices['locations']; onClose: () => void };

/** The form that closes several locations on the same dates: a range, or public holidays. */
export function ClosureForm({ locations, onClose }: FormProps) {
  const t = useTranslations('catalog.closure');
  const tCommon = useTranslations('common');
  const [mode, setMode] = useState<'range' | 'holidays'>('range');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [note, setNote] = useState('');
  const [days, setDays] = useState<readonly ClosedDay[]>([]);
  const [chosen, setChosen] = useState(() => locations.map(({ id }) => id));
  const { close, affected } = useClose(onClose);
  const save = (confirmed: string) => {
    const closed = { location_ids: chosen, confirmed };
    close.mutate(
      mode === 'range'
        ? { ...closed, from, to: to || from, note: note.trim() || null }
        : { ...closed, days: [...days] },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(NOTHING_SEEN);
  };
  const errors = useMemo(() => messagesOf(fieldErrorsOf(close.error), tCommon), [close.error, tCommon]);
  return (
    <Form busy={close.isPending} onSubmit={submit}>
      <FieldErrorsProvider errors={errors}>
        <Stack>
          <Text size="sm">{t('lead')}</Text>
          <SegmentedControl
            aria-label={t('days')}
            value={mode}
            onChange={(value) => setMode(value as typeof mode)}
            data={[
              { value: 'range', label: t('range') },
              { value: 'holidays', label: t('holidays') },
            ]}
          />
          {mode === 'holidays' ? (
            <HolidayChoice locationIds={chosen} days={days} onChange={setDays} />
          ) : (
            <>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextField label={t('first')} path="from" type="date" value={from} onChange={setFrom} required />
                <TextField label={t('last')} path="to" type="date" value={to || from} onChange={setTo} />
              </SimpleGrid>
              <TextField label={t('note')} path="note" value={note} onChange={setNote} maxLength={500} />
            </>
          )}
          <LocationChoice locations={locations} chosen={chosen} onChange={setChosen} />
          {Object.keys(errors).length === 0 && <Problem error={close.error} />}
          <FormEnd
            verb={t('add', { days: mode === 'range' ? 1 : days.length, locations: chosen.length })}
            busy={close.isPending}
            disabled={chosen.length === 0 || (mode === 'holidays' && days.length === 0)}
            onCancel={onClose}
          />
        </Stack>
      </FieldErrorsProvider>
      <AffectedDialog state={affected} busy={close.isPending} onConfirm={save} />
    </Form>
  );
}

type Closing = Inputs['catalog']['bulk']['close'] | Inputs['catalog']['bulk']['close_days'];

function useClose(onClose: () => void) {
  const t = useTranslations('catalog.closure');
  const trpc = useTRPC();
  const { bulk } = useTRPCClient().catalog;
  const done = useDone(trpc.catalog);
  const affected = useAffected();
  const showDone = useUndo();
  const close = useMutation<Outputs['catalog']['bulk']['close'], Refusal, Closing>({
    mutationFn: (closing) => ('days' in closing ? bulk.close_days.mutate(closing) : bulk.close.mutate(closing)),
    onSuccess: async (result, closing) => {
      if ('affected' in result) return affected.show(result.affected);
      affected.close();
      onClose();
      const days = 'days' in closing ? closing.days.length : 1;
      showDone(t('added', { days, locations: result.changed }), result.undo);
      await done();
    },
    onError: affected.close,
  });
  return { close, affected };
}

type ChoiceProps = { locations: Choices['locations']; chosen: string[]; onChange: (ids: string[]) => void };

function LocationChoice({ locations, chosen, onChange }: ChoiceProps) {
  const t = useTranslations('catalog.closure');
  const isAll = chosen.length === locations.length;
  return (
    <Checkbox.Group label={t('locations')} value={chosen} onChange={onChange}>
      <Group mt={6} mb={6}>
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => onChange(isAll ? [] : locations.map(({ id }) => id))}
        >
          {t(isAll ? 'clearAll' : 'selectAll')}
        </Button>
      </Group>
      <ScrollArea.Autosize mah={240} type="auto">
        <Stack gap={6}>
          {locations.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Checkbox.Group>
  );
}

type ClosedDay = Inputs['catalog']['bulk']['close_days']['days'][number];

/** Years from the current one for which holidays can be chosen. */
const YEARS = 3;

type Props = { locationIds: readonly string[]; days: readonly ClosedDay[]; onChange: (days: ClosedDay[]) => void };

function HolidayChoice({ locationIds, days, onChange }: Props) {
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
  if (list.isError || !list.data) return <NotLoaded query={list} rows={6} height={24} />;
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

'use client';

import { Alert, Checkbox, Group, Input, List, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { NotLoaded } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { DayStepper } from '../../_components/day-stepper';
import { FoundTimes } from '../../_components/dialogs/reschedule-dialog';
import { timeText } from '../../_components/display/format';
import type { BrokenRule } from '../../_components/types';

type Start = { date: string; start: string; specialist: string };

type Props = Start & {
  wanted: { service_id: string; location_id: string };
  confirmed: readonly BrokenRule[];
  error: ReactNode;
  onChange: (patch: Partial<Start>) => void;
  onConfirm: (rules: BrokenRule[]) => void;
};

/** Chooses the day, the specialist, and one of the free times, or any other time after a confirmation. */
export function StartField({ wanted, date, start, specialist, confirmed, error, onChange, onConfirm }: Props) {
  const trpc = useTRPC();
  const t = useTranslations('bookings.new.start');
  const [isOther, setOther] = useState(false);
  const asked = { ...wanted, specialist_id: specialist || null };
  const found = useQuery(trpc.bookings.new_slots.queryOptions({ ...asked, date }));
  const slots = found.data?.slots ?? [];
  const specialists = found.data?.specialists ?? [];
  // The schedule may have suggested a specialist who does not offer the service.
  const isOffered = specialist === '' || !found.data || specialists.some(({ id }) => id === specialist);
  const slot = slots.find(({ start_time }) => start_time === start);
  // A time that the schedule suggested may not be one of the free times.
  const showsOther = isOther || (start !== '' && found.data !== undefined && !slot);
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        <DayStepper date={date} onChange={(next) => onChange({ date: next, start: showsOther ? start : '' })} />
        <NativeSelect
          label={t('specialist')}
          value={specialist}
          error={isOffered ? null : t('notOffered')}
          onChange={(event) => onChange({ specialist: event.currentTarget.value, start: showsOther ? start : '' })}
          data={[
            { value: '', label: t('any') },
            ...specialists.map(({ id, name }) => ({ value: id, label: name })),
            ...(isOffered ? [] : [{ value: specialist, label: t('suggested') }]),
          ]}
        />
      </Group>
      <FoundTimes
        found={found}
        date={date}
        chosen={slot}
        onDate={(next) => onChange({ date: next, start: '' })}
        onChoose={(startsAt) => {
          setOther(false);
          onChange({ start: slots.find(({ starts_at }) => starts_at === startsAt)?.start_time ?? '' });
        }}
      />
      <Switch
        label={t('other')}
        checked={showsOther}
        onChange={(event) => {
          setOther(event.currentTarget.checked);
          if (!event.currentTarget.checked) onChange({ start: '' });
        }}
      />
      {showsOther && (
        <TextInput
          label={t('time')}
          type="time"
          maw={160}
          value={start}
          onChange={(event) => onChange({ start: event.currentTarget.value })}
        />
      )}
      {showsOther && /^\d\d:\d\d$/.test(start) && !slot && (
        <Check asked={{ ...asked, date, start_time: start }} confirmed={confirmed} onConfirm={onConfirm} />
      )}
      {error && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}

const REFUSALS = ['slot_taken', 'specialist_unavailable', 'nonexistent_local_time'] as const;

type CheckProps = Pick<Props, 'confirmed' | 'onConfirm'> & {
  asked: Props['wanted'] & { specialist_id: string | null; date: string; start_time: string };
};

function Check({ asked, confirmed, onConfirm }: CheckProps) {
  const t = useTranslations('bookings.new.start');
  const format = useFormats();
  const rules = useTranslations('bookings.rules');
  const trpc = useTRPC();
  const check = useQuery(trpc.bookings.check_new.queryOptions(asked, { staleTime: 0 }));
  if (check.isError || !check.data) return <NotLoaded query={check} rows={1} height={60} />;
  const { broken, refusal } = check.data;
  if (refusal !== null) {
    return (
      <Alert color="red" role="alert" title={t('refused', { time: timeText(format, asked.start_time) })}>
        {t(`refusals.${REFUSALS.find((one) => one === refusal) ?? 'other'}`)}
      </Alert>
    );
  }
  if (broken.length === 0) return <Text size="sm">{t('free')}</Text>;
  return (
    <Alert color="yellow" role="alert" title={t('breaks', { time: timeText(format, asked.start_time) })}>
      <Stack gap="xs">
        <List size="sm">
          {broken.map((rule) => (
            <List.Item key={rule}>{rules(rule)}</List.Item>
          ))}
        </List>
        <Checkbox
          label={t('anyway')}
          checked={broken.every((rule) => confirmed.includes(rule))}
          onChange={(event) => onConfirm(event.currentTarget.checked ? broken : [])}
        />
      </Stack>
    </Alert>
  );
}

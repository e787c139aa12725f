'use client';

import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import styles from '../catalog.module.css';
import { useFieldError } from '../records/form-context';
import type { Exceptions, TimeOff } from '../types';
import { IntervalField } from './hours-editor';

type ExceptionsProps = { label: string; path: string; value: Exceptions; onChange: (value: Exceptions) => void };

/** Edits exceptions to the weekly hours. An exception replaces all weekly hours that start on its date. */
export function ExceptionsEditor({ label, path, value, onChange }: ExceptionsProps) {
  const t = useTranslations('catalog.dates');
  const replace = (at: number, next: Exceptions[number]) =>
    onChange(value.map((entry, index) => (index === at ? next : entry)));
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <Stack gap="sm" align="flex-start">
        {value.map((exception, index) => (
          <Exception
            // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved exception has no other identity.
            key={index}
            name={
              exception.date ? t('ofDate', { label, date: exception.date }) : t('number', { label, number: index + 1 })
            }
            path={`${path}.${index}`}
            value={exception}
            onChange={(next) => replace(index, next)}
            onRemove={() => onChange(value.filter((_, at) => at !== index))}
          />
        ))}
        <AddButton
          label={t('addDateTo', { label })}
          text={t('addDate')}
          onClick={() => onChange([...value, { date: '', hours: [], note: null }])}
        />
      </Stack>
    </fieldset>
  );
}

type ExceptionProps = {
  name: string;
  path: string;
  value: Exceptions[number];
  onChange: (value: Exceptions[number]) => void;
  onRemove: () => void;
};

function Exception({ name, path, value, onChange, onRemove }: ExceptionProps) {
  const t = useTranslations('catalog.dates');
  const { date, hours, note } = value;
  const labels = { date: t('dateOf', { name }), note: t('noteOf', { name }) };
  return (
    <div className={styles.card}>
      <Stack gap="xs" align="flex-start">
        <Group gap="xs" align="flex-end">
          <TextInput
            type="date"
            label={t('date')}
            aria-label={labels.date}
            size="xs"
            value={date}
            error={useFieldError(`${path}.date`, labels.date)}
            onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
          />
          <TextInput
            label={t('note')}
            aria-label={labels.note}
            size="xs"
            maxLength={500}
            value={note ?? ''}
            error={useFieldError(`${path}.note`, labels.note)}
            onChange={(event) => onChange({ ...value, note: event.currentTarget.value || null })}
          />
          <RemoveButton label={t('remove', { name })} onClick={onRemove} />
        </Group>
        <DatedHours
          name={name}
          path={`${path}.hours`}
          hours={hours}
          onChange={(next) => onChange({ ...value, hours: next })}
        />
      </Stack>
    </div>
  );
}

type HoursProps = {
  name: string;
  path: string;
  hours: Exceptions[number]['hours'];
  onChange: (hours: Exceptions[number]['hours']) => void;
};

function DatedHours({ name, path, hours, onChange }: HoursProps) {
  const t = useTranslations('catalog.dates');
  return (
    <>
      {hours.length === 0 && <Hint>{t('closed')}</Hint>}
      {hours.map((interval, index) => (
        <IntervalField
          // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved interval has no other identity.
          key={index}
          name={t('interval', { name, number: index + 1 })}
          path={`${path}.${index}`}
          value={interval}
          onChange={(next) => onChange(hours.map((one, at) => (at === index ? next : one)))}
          onRemove={() => onChange(hours.filter((_, at) => at !== index))}
        />
      ))}
      <AddButton
        label={t('addHoursTo', { name })}
        text={t('addHours')}
        onClick={() => onChange([...hours, { opens: '', closes: '' }])}
      />
    </>
  );
}

type TimeOffProps = { path: string; value: TimeOff; onChange: (value: TimeOff) => void };

/** Edits a specialist's time off. Times are local to the location where the specialist works. */
export function TimeOffEditor({ path, value, onChange }: TimeOffProps) {
  const t = useTranslations('catalog.timeOff');
  return (
    <fieldset className={styles.group}>
      <legend>{t('title')}</legend>
      <Stack gap="sm" align="flex-start">
        {value.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved entry has no other identity.
          <Group key={`${path}.${index}`} gap="xs" align="flex-end">
            {(['from', 'to'] as const).map((part) => (
              <LocalTime
                key={part}
                label={t(part === 'from' ? 'from' : 'until')}
                name={t(part === 'from' ? 'fromOf' : 'untilOf', { number: index + 1 })}
                path={`${path}.${index}.${part}`}
                value={entry[part]}
                onChange={(text) => onChange(value.map((one, at) => (at === index ? { ...one, [part]: text } : one)))}
              />
            ))}
            <RemoveButton
              label={t('remove', { number: index + 1 })}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            />
          </Group>
        ))}
        <AddButton label={t('add')} text={t('add')} onClick={() => onChange([...value, { from: '', to: '' }])} />
      </Stack>
    </fieldset>
  );
}

type LocalTimeProps = { label: string; name: string; path: string; value: string; onChange: (text: string) => void };

function LocalTime({ label, name, path, value, onChange }: LocalTimeProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      aria-label={name}
      size="xs"
      value={value}
      error={useFieldError(path, name)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function AddButton({ label, text, onClick }: { label: string; text: string; onClick: () => void }) {
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<IconPlus size={14} aria-hidden />}
      aria-label={label}
      onClick={onClick}
    >
      {text}
    </Button>
  );
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}

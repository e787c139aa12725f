'use client';

import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { Translator } from '@/app/_components/language';
import styles from '../catalog.module.css';
import { capitalized, ISO_DAYS } from '../format';
import { useFieldError } from '../records/form-context';
import type { Weekly } from '../types';

type Hours = { opens: string; closes: string };

/** Returns a hint if the interval ends on the next day (contract B6); otherwise an empty string. */
function hintOf(t: Translator<'catalog.hours'>, { opens, closes }: Hours): string {
  if (!/^\d\d:\d\d$/.test(opens) || !/^\d\d:\d\d$/.test(closes)) return '';
  if (opens === closes) return t('wholeDay');
  return closes < opens ? t('nextDay') : '';
}

type IntervalProps = {
  name: string;
  path: string;
  value: Hours;
  onChange: (value: Hours) => void;
  onRemove: () => void;
  /** The button that adds another interval, behind the last one. */
  adder?: ReactNode;
};

/** The fields for the start and the end of one interval. */
export function IntervalField({ name, path, value, onChange, onRemove, adder }: IntervalProps) {
  const t = useTranslations('catalog.hours');
  const labels = { opens: t('opens', { name }), closes: t('closes', { name }) };
  const time = (part: keyof Hours, error: ReactNode) => (
    <TextInput
      aria-label={labels[part]}
      size="xs"
      w={86}
      maxLength={5}
      placeholder="HH:MM"
      value={value[part]}
      error={error}
      onChange={(event) => onChange({ ...value, [part]: event.currentTarget.value })}
    />
  );
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      {time('opens', useFieldError(`${path}.opens`, labels.opens))}
      <Text size="sm" mt={4} aria-hidden>
        –
      </Text>
      {time('closes', useFieldError(`${path}.closes`, labels.closes))}
      <ActionIcon variant="subtle" color="gray" mt={1} aria-label={t('remove', { name })} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      {adder}
      <Hint size="xs" mt={7}>
        {hintOf(t, value)}
      </Hint>
    </Group>
  );
}

type Props = { label: string; path: string; value: Weekly; onChange: (value: Weekly) => void; closed?: string };

/** Edits weekly hours. An interval that closes before it opens ends on the next day. Equal times mean 24 hours. */
export function WeekEditor({ label, path, value, onChange, closed }: Props) {
  const t = useTranslations('catalog.hours');
  const error = useFieldError(path, label);
  const copyMonday = () => {
    const monday = value.filter(({ weekday }) => weekday === 1);
    onChange([1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => monday.map((hours) => ({ ...hours, weekday }))));
  };
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <Stack gap="xs">
        {ISO_DAYS.map((day) => (
          <Day key={day} day={day} closed={closed ?? t('closed')} {...{ path, value, onChange, label }} />
        ))}
        {error && (
          <Text size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
        {value.some(({ weekday }) => weekday === 1) && (
          <Group>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconCopy size={14} aria-hidden />}
              onClick={copyMonday}
              aria-label={t('copyMondayOf', { label })}
            >
              {t('copyMonday')}
            </Button>
          </Group>
        )}
      </Stack>
    </fieldset>
  );
}

function Day({ day, label, path, value, onChange, closed }: Props & { day: (typeof ISO_DAYS)[number] }) {
  const t = useTranslations('catalog.hours');
  const name = useTranslations('words.weekdays')(day);
  const weekday = Number(day);
  const addLabel = t('addOn', { label, weekday: name });
  const own = value.flatMap((hours, index) => (hours.weekday === weekday ? [{ hours, index }] : []));
  const replace = (at: number, hours: Hours) =>
    onChange(value.map((entry, index) => (index === at ? { ...entry, ...hours } : entry)));
  const box = useRef<HTMLDivElement>(null);
  const add = () => {
    const hours = own.length > 0 ? { opens: '', closes: '' } : { opens: '09:00', closes: '17:00' };
    flushSync(() => onChange([...value, { weekday, ...hours }]));
    // The button that was pressed is now elsewhere.
    [...(box.current?.querySelectorAll('input') ?? [])].at(-2)?.focus();
  };
  return (
    <div className={styles.day} ref={box}>
      <Text size="sm" fw={550}>
        {capitalized(name)}
      </Text>
      <Stack gap={6}>
        {own.map(({ hours, index }, number) => (
          <IntervalField
            key={index}
            name={t('weekdayInterval', { label, weekday: name, number: number + 1 })}
            path={`${path}.${index}`}
            value={hours}
            onChange={(next) => replace(index, next)}
            onRemove={() => onChange(value.filter((_, at) => at !== index))}
            adder={
              number === own.length - 1 && (
                <ActionIcon variant="subtle" mt={1} aria-label={addLabel} onClick={add}>
                  <IconPlus size={16} aria-hidden />
                </ActionIcon>
              )
            }
          />
        ))}
        {own.length === 0 && (
          <Group gap="xs" align="baseline">
            <Hint>{closed}</Hint>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              aria-label={addLabel}
              onClick={add}
            >
              {t('add')}
            </Button>
          </Group>
        )}
      </Stack>
    </div>
  );
}

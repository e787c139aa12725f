'use client';

import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import styles from './catalog.module.css';
import { useFieldError } from './form-context';
import { capitalized, ISO_DAYS } from './format';
import type { Weekly } from './types';

type Hours = { opens: string; closes: string };

/** Returns a hint if the interval ends on the next day (contract B6); otherwise an empty string. */
export function hintOf(t: Translator<'catalog.hours'>, { opens, closes }: Hours): string {
  if (!/^\d\d:\d\d$/.test(opens) || !/^\d\d:\d\d$/.test(closes)) return '';
  if (opens === closes) return t('wholeDay');
  return closes < opens ? t('nextDay') : '';
}

type IntervalProps = {
  /** Accessible name of the interval, such as `Monday, interval 2`. */
  name: string;
  path: string;
  value: Hours;
  onChange: (value: Hours) => void;
  onRemove: () => void;
};

/** The fields for the start and the end of one interval. */
export function IntervalField({ name, path, value, onChange, onRemove }: IntervalProps) {
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
      <Text size="xs" c="dimmed" mt={7}>
        {hintOf(t, value)}
      </Text>
    </Group>
  );
}

type Props = { label: string; path: string; value: Weekly; onChange: (value: Weekly) => void; closed?: string };

/**
 * The fields for editing weekly hours. An interval that closes before it opens ends on the next day. An interval with
 * equal times lasts 24 hours.
 */
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
  const own = value.flatMap((hours, index) => (hours.weekday === weekday ? [{ hours, index }] : []));
  const replace = (at: number, hours: Hours) =>
    onChange(value.map((entry, index) => (index === at ? { ...entry, ...hours } : entry)));
  const add = () =>
    onChange([...value, { weekday, opens: own.length > 0 ? '' : '09:00', closes: own.length > 0 ? '' : '17:00' }]);
  return (
    <div className={styles.day}>
      <Text size="sm" fw={550} mt={4}>
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
          />
        ))}
        <Group gap="xs">
          {own.length === 0 && (
            <Text size="sm" c="dimmed">
              {closed}
            </Text>
          )}
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            aria-label={t('addOn', { label, weekday: name })}
            onClick={add}
          >
            {t('add')}
          </Button>
        </Group>
      </Stack>
    </div>
  );
}

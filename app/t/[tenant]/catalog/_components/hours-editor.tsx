'use client';

import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './catalog.module.css';
import { useFieldError } from './form-context';
import { WEEKDAYS } from './format';
import type { Weekly } from './types';

type Hours = { opens: string; closes: string };

/** Returns a hint if the interval ends on the next day (contract B6); otherwise an empty string. */
export function hintOf({ opens, closes }: Hours): string {
  if (!/^\d\d:\d\d$/.test(opens) || !/^\d\d:\d\d$/.test(closes)) return '';
  if (opens === closes) return '24 hours';
  return closes < opens ? 'next day' : '';
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
  const labels = { opens: `${name}, opens`, closes: `${name}, closes` };
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
      <ActionIcon variant="subtle" color="gray" mt={1} aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      <Text size="xs" c="dimmed" mt={7}>
        {hintOf(value)}
      </Text>
    </Group>
  );
}

type Props = { label: string; path: string; value: Weekly; onChange: (value: Weekly) => void; closed?: string };

/**
 * The fields for editing weekly hours. An interval that closes before it opens ends on the next day. An interval with
 * equal times lasts 24 hours.
 */
export function WeekEditor({ label, path, value, onChange, closed = 'Closed' }: Props) {
  const error = useFieldError(path, label);
  const copyMonday = () => {
    const monday = value.filter(({ weekday }) => weekday === 1);
    onChange([1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => monday.map((hours) => ({ ...hours, weekday }))));
  };
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <Stack gap="xs">
        {WEEKDAYS.map((name, index) => (
          <Day key={name} weekday={index + 1} name={name} {...{ path, value, onChange, closed, label }} />
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
              aria-label={`${label}: Copy Monday’s hours to every day`}
            >
              Copy Monday’s hours to every day
            </Button>
          </Group>
        )}
      </Stack>
    </fieldset>
  );
}

function Day({ weekday, name, label, path, value, onChange, closed = '' }: Props & { weekday: number; name: string }) {
  const own = value.flatMap((hours, index) => (hours.weekday === weekday ? [{ hours, index }] : []));
  const replace = (at: number, hours: Hours) =>
    onChange(value.map((entry, index) => (index === at ? { ...entry, ...hours } : entry)));
  const add = () =>
    onChange([...value, { weekday, opens: own.length > 0 ? '' : '09:00', closes: own.length > 0 ? '' : '17:00' }]);
  return (
    <div className={styles.day}>
      <Text size="sm" fw={550} mt={4}>
        {name}
      </Text>
      <Stack gap={6}>
        {own.map(({ hours, index }, number) => (
          <IntervalField
            key={index}
            name={`${label}, ${name}, interval ${number + 1}`}
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
            aria-label={`${label}: add interval on ${name}`}
            onClick={add}
          >
            Add
          </Button>
        </Group>
      </Stack>
    </div>
  );
}

'use client';

import { Button, Checkbox, Chip, Group, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { AffectedDialog, NOTHING_SEEN } from '../../catalog/_components/records/affected-dialog';
import { fieldErrorsOf, messagesOf } from '../../catalog/_components/records/form-context';
import { Form } from '../forms/form';
import { FormEnd, Problem } from '../forms/form-end';
import { WEEKDAYS } from './block-text';
import { type BlockInput, type BlockRecord, type Subject, useBlockChanges } from './use-block-changes';

/** What can be blocked. The first one is preselected. */
export type SubjectChoice = { subject: Subject; label: string };

/** Local times of a new block, such as those over which the pointer was dragged. */
export type BlockTimes = { from: string; to: string };

type Props = {
  choices: readonly SubjectChoice[];
  block: BlockRecord | null;
  times: BlockTimes;
  onClose: () => void;
};

type Values = {
  subject: string;
  date: string;
  start: string;
  endDate: string;
  end: string;
  repeats: boolean;
  every: number | string;
  weekdays: string[];
  until: string;
  reason: string;
};

function valuesOf({ block, times }: Pick<Props, 'block' | 'times'>): Values {
  const { from, to } = block ?? times;
  const date = from.slice(0, 10);
  const weekday = String(((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1);
  return {
    subject: '0',
    date,
    start: from.slice(11),
    endDate: to.slice(0, 10),
    end: to.slice(11),
    repeats: block?.repeat != null,
    every: block?.repeat?.every_weeks ?? 1,
    weekdays: block?.repeat?.weekdays.map(String) ?? [weekday],
    until: block?.repeat?.until ?? '',
    reason: block?.reason ?? '',
  };
}

function inputOf(values: Values): BlockInput {
  const { date, start, endDate, end, repeats, every, weekdays, until, reason } = values;
  return {
    from: `${date}T${start}`,
    to: `${endDate || date}T${end}`,
    repeat: repeats ? { every_weeks: Number(every), weekdays: weekdays.map(Number), until } : null,
    reason: reason.trim() || null,
  };
}

/** The form that blocks time, or changes or deletes a block. It lists the bookings inside before it saves. */
export function BlockForm({ choices, block, times, onClose }: Props) {
  const t = useTranslations('common.blocks');
  const tCommon = useTranslations('common');
  const weekday = useTranslations('words.weekdaysShort');
  const form = useForm<Values>({ mode: 'controlled', initialValues: valuesOf({ block, times }) });
  const { save, remove, affected } = useBlockChanges(onClose);
  const problems = fieldErrorsOf(save.error).map(({ path, message }) => ({
    path: path.replace(/^block\./, ''),
    message,
  }));
  const errors = messagesOf(problems, tCommon);
  const wrongWeekdays = problems.find(({ path }) => path === 'repeat.weekdays');
  const submit = (confirmed: string) => {
    const subject = choices[Number(form.values.subject)]?.subject;
    if (subject) save.mutate({ block, subject, input: inputOf(form.values), confirmed });
  };
  return (
    <Form busy={save.isPending} onSubmit={form.onSubmit(() => submit(NOTHING_SEEN))}>
      <Stack>
        <Text size="sm">{t('lead')}</Text>
        {choices.length > 1 ? (
          <Select
            label={t('subject')}
            data={choices.map(({ label }, index) => ({ value: String(index), label }))}
            allowDeselect={false}
            {...form.getInputProps('subject')}
          />
        ) : (
          <Text size="sm" fw={600}>
            {choices[0]?.label}
          </Text>
        )}
        <SimpleGrid cols={2}>
          <TextInput type="date" label={t('from')} required {...form.getInputProps('date')} error={errors.from} />
          <TextInput type="time" label={t('start')} required {...form.getInputProps('start')} />
          <TextInput type="date" label={t('to')} {...form.getInputProps('endDate')} error={errors.to} />
          <TextInput type="time" label={t('end')} required {...form.getInputProps('end')} />
        </SimpleGrid>
        <Checkbox label={t('repeat')} {...form.getInputProps('repeats', { type: 'checkbox' })} />
        {form.values.repeats && (
          <Stack gap="sm">
            <SimpleGrid cols={2}>
              <NumberInput
                label={t('every')}
                min={1}
                max={52}
                allowDecimal={false}
                {...form.getInputProps('every')}
                error={errors['repeat.every_weeks']}
              />
              <TextInput
                type="date"
                label={t('until')}
                required
                {...form.getInputProps('until')}
                error={errors['repeat.until']}
              />
            </SimpleGrid>
            <Chip.Group multiple {...form.getInputProps('weekdays')}>
              <Group gap={6} role="group" aria-label={t('weekdays')}>
                {WEEKDAYS.map((day) => (
                  <Chip key={day} value={day} size="xs">
                    {weekday(day)}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
            {wrongWeekdays && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {t('weekdaysProblem', { message: wrongWeekdays.message })}
              </Text>
            )}
          </Stack>
        )}
        <TextInput
          label={t('reason')}
          description={t('reasonText')}
          maxLength={200}
          {...form.getInputProps('reason')}
          error={errors.reason}
        />
        {Object.keys(errors).length === 0 && <Problem error={save.error ?? remove.error} />}
        {block && (
          <Button
            variant="subtle"
            color="red.9"
            style={{ alignSelf: 'flex-start' }}
            loading={remove.isPending}
            onClick={() => remove.mutate(block)}
          >
            {t('delete')}
          </Button>
        )}
        <FormEnd verb={block ? t('save') : t('block')} busy={save.isPending} onCancel={onClose} />
      </Stack>
      <AffectedDialog state={affected} busy={save.isPending} onConfirm={submit} />
    </Form>
  );
}

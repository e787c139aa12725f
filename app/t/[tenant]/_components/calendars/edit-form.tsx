'use client';

import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { fieldErrorsOf, messagesOf } from '../../catalog/_components/records/form-context';
import { Form } from '../forms/form';
import { FormEnd, Problem } from '../forms/form-end';
import { useTRPC } from '../trpc';
import { ChoiceFields, type Choices } from './choice-fields';
import type { CalendarRecord } from './use-calendar-changes';

type Props = { calendar: CalendarRecord; onClose: () => void; onChange: () => Promise<unknown> };

/** The form that renames a calendar and changes what is shown of it. */
export function EditForm({ calendar, onClose, onChange }: Props) {
  const t = useTranslations('common.calendars');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const { name, show_titles, block_when_stale } = calendar;
  const form = useForm<Choices>({
    mode: 'controlled',
    initialValues: { name, show_titles, block_when_stale: block_when_stale ? 'block' : 'keep' },
  });
  const update = useMutation(
    trpc.calendars.update.mutationOptions({
      onSuccess: async () => {
        onClose();
        notifications.show({ message: t('saved') });
        await onChange();
      },
    }),
  );
  const errors = messagesOf(fieldErrorsOf(update.error), tCommon);
  const save = ({ block_when_stale: stale, ...rest }: Choices) =>
    update.mutate({ calendar_id: calendar.id, ...rest, block_when_stale: stale === 'block' });
  return (
    <Form busy={update.isPending} onSubmit={form.onSubmit(save)}>
      <Stack>
        <ChoiceFields form={form} errors={errors} fetched={calendar.host !== null} />
        {Object.keys(errors).length === 0 && <Problem error={update.error} />}
        <FormEnd verb={t('save')} busy={update.isPending} onCancel={onClose} />
      </Stack>
    </Form>
  );
}

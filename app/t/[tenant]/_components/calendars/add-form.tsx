'use client';

import { Alert, Button, FileInput, Group, List, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { fieldErrorsOf, messagesOf } from '../../catalog/_components/records/form-context';
import type { Outputs } from '../api-types';
import { useBlockText } from '../blocks/block-text';
import { Form } from '../forms/form';
import { FormEnd, Problem } from '../forms/form-end';
import { pack } from '../pack';
import { DAY } from '../time/moments';
import { useTRPCClient } from '../trpc';
import { ChoiceFields, type Choices } from './choice-fields';
import type { CalendarSubject } from './use-calendar-changes';

/** Bytes. The server has the same limit. */
const MAX_FILE = 5 * 1024 * 1024;

type Values = Choices & { from: 'address' | 'file'; url: string; file: File | null };
type Added = Outputs['calendars']['add'];
type Refusal = { message: string; data?: { fields?: { path: string; message: string }[] } | null };

type Props = { subject: CalendarSubject; onClose: () => void; onChange: () => Promise<unknown> };

/** The form that adds a calendar by its address or from a file, and then says what was found. */
export function AddForm({ subject, onClose, onChange }: Props) {
  const t = useTranslations('common.calendars');
  const tCommon = useTranslations('common');
  const { calendars } = useTRPCClient();
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: {
      ...{ from: 'address', url: '', file: null, name: '', show_titles: false, block_when_stale: 'keep' },
    },
    validate: {
      file: (file, { from }) => {
        if (from === 'address') return null;
        if (!file) return t('needFile');
        return file.size > MAX_FILE ? t('fileTooBig') : null;
      },
    },
  });
  const add = useMutation<Added, Refusal, Values>({
    mutationFn: async ({ from, url, file, block_when_stale, ...rest }) => {
      const choices = { subject, ...rest, block_when_stale: block_when_stale === 'block' };
      return from === 'file' && file
        ? calendars.upload.mutate({ ...choices, packed: await pack(file) })
        : calendars.add.mutate({ ...choices, url });
    },
    onSuccess: () => onChange(),
  });
  const errors = messagesOf(fieldErrorsOf(add.error), tCommon);
  const { from } = form.values;
  if (add.data) return <FoundTimes added={add.data} onClose={onClose} />;
  return (
    <Form busy={add.isPending} onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <Stack>
        <SegmentedControl
          aria-label={t('source')}
          data={[
            { value: 'address', label: t('address') },
            { value: 'file', label: t('file') },
          ]}
          {...form.getInputProps('from')}
        />
        {from === 'address' ? (
          <TextInput
            label={t('url')}
            description={t('urlText')}
            placeholder="https://"
            required
            maxLength={2_048}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('url')}
            error={errors.url}
          />
        ) : (
          <FileInput
            label={t('upload')}
            description={t('uploadText')}
            accept=".ics,text/calendar"
            required
            clearable
            {...form.getInputProps('file')}
            error={form.errors.file ?? errors.packed}
          />
        )}
        <ChoiceFields form={form} errors={errors} fetched={from === 'address'} />
        {Object.keys(errors).length === 0 && <Problem error={add.error} />}
        <FormEnd verb={t('add')} busy={add.isPending} onCancel={onClose} />
      </Stack>
    </Form>
  );
}

function FoundTimes({ added, onClose }: { added: Added; onClose: () => void }) {
  const t = useTranslations('common.calendars');
  const format = useFormats();
  const blockText = useBlockText();
  const { busy_times, unread_entries, read_until, first } = added;
  const date = format.dateTime(DAY, 'UTC').format(new Date(`${read_until}T00:00:00Z`));
  return (
    <Stack>
      <Alert color="green" role="status" title={t('added')}>
        {t('found', { count: busy_times, date })}
        {unread_entries > 0 && ` ${t('ignored', { count: unread_entries })}`}
      </Alert>
      {first.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {t('first')}
          </Text>
          <List size="sm">
            {first.map((time) => (
              <List.Item key={`${time.from} ${time.to}`}>{blockText({ ...time, repeat: null })}</List.Item>
            ))}
          </List>
        </div>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t('done')}
        </Button>
      </Group>
    </Stack>
  );
}

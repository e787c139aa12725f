'use client';

import { Alert, Button, FileInput, Group, List, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { fieldErrorsOf, messagesOf } from '../../catalog/_components/form-context';
import type { Outputs } from '../api-types';
import { blockText } from '../blocks/block-text';
import { plural } from '../format';
import { FormEnd, Problem } from '../forms/form-end';
import { pack } from '../pack';
import { DAY, formatterOf } from '../time/moments';
import { useTRPCClient } from '../trpc';
import { ChoiceFields, type Choices } from './choice-fields';
import type { CalendarSubject } from './use-calendar-changes';

const DATE = formatterOf(DAY, 'UTC');

/** Bytes. The server has the same limit. */
const MAX_FILE = 5 * 1024 * 1024;

type Values = Choices & { from: 'address' | 'file'; url: string; file: File | null };
type Added = Outputs['calendars']['add'];
type Refusal = { message: string; data?: { fields?: { path: string; message: string }[] } | null };

type Props = { subject: CalendarSubject; onClose: () => void; onChange: () => Promise<unknown> };

/** The form that adds a calendar by its address or from a file, and then says what was found. */
export function AddForm({ subject, onClose, onChange }: Props) {
  const { calendars } = useTRPCClient();
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: {
      ...{ from: 'address', url: '', file: null, name: '', show_titles: false, block_when_stale: 'keep' },
    },
    validate: {
      file: (file, { from }) => {
        if (from === 'address') return null;
        if (!file) return 'Choose a file';
        return file.size > MAX_FILE ? 'The file is larger than 5 MB' : null;
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
    onSuccess: onChange,
  });
  const errors = messagesOf(fieldErrorsOf(add.error));
  const { from } = form.values;
  if (add.data) return <FoundTimes added={add.data} onClose={onClose} />;
  return (
    <form noValidate onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <Stack>
        <SegmentedControl
          aria-label="Source"
          data={[
            { value: 'address', label: 'Address' },
            { value: 'file', label: 'File (.ics)' },
          ]}
          {...form.getInputProps('from')}
        />
        {from === 'address' ? (
          <TextInput
            label="Address of the calendar"
            description="The secret or public address in iCalendar format. It is stored encrypted and read every 10 minutes."
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
            label="Calendar file"
            description="At most 5 MB. The file is read once; later changes need another upload."
            accept=".ics,text/calendar"
            required
            clearable
            {...form.getInputProps('file')}
            error={form.errors.file ?? errors.packed}
          />
        )}
        <ChoiceFields form={form} errors={errors} fetched={from === 'address'} />
        {Object.keys(errors).length === 0 && <Problem error={add.error} />}
        <FormEnd verb="Add calendar" busy={add.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function FoundTimes({ added, onClose }: { added: Added; onClose: () => void }) {
  const { busy_times, unread_entries, read_until, first } = added;
  return (
    <Stack>
      <Alert color="green" role="status" title="Calendar added">
        {busy_times === 0 ? 'It has no busy times' : `It has ${plural(busy_times, 'busy time')}`} until{' '}
        {DATE.format(new Date(`${read_until}T00:00:00Z`))}.
        {unread_entries > 0 && ` ${plural(unread_entries, 'entry', 'entries')} without a valid time did not count.`}
      </Alert>
      {first.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            The first ones:
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
          Done
        </Button>
      </Group>
    </Stack>
  );
}

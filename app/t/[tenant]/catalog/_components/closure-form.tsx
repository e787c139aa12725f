'use client';

import { Button, Checkbox, Group, ScrollArea, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Inputs, Outputs } from '../../_components/api-types';
import { FormEnd, Problem } from '../../_components/forms/form-end';
import { useTRPC, useTRPCClient } from '../../_components/trpc';
import { useUndo } from '../../_components/use-undo';
import { AffectedDialog, NOTHING_SEEN, useAffected } from './affected-dialog';
import { TextField } from './fields';
import { FieldErrorsProvider, fieldErrorsOf, messagesOf } from './form-context';
import { type ClosedDay, HolidayChoice } from './holiday-choice';
import type { Choices } from './types';
import type { Refusal } from './use-record-form';

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
    <form noValidate onSubmit={submit}>
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
    </form>
  );
}

type Closing = Inputs['catalog']['bulk']['close'] | Inputs['catalog']['bulk']['close_days'];

function useClose(onClose: () => void) {
  const t = useTranslations('catalog.closure');
  const trpc = useTRPC();
  const { bulk } = useTRPCClient().catalog;
  const queries = useQueryClient();
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
      await queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
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

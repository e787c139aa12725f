'use client';

import { Alert, Button, Group, NativeSelect, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { ConfirmDialog } from '../../../_components/dialogs/confirm-dialog';
import { Dialog } from '../../../_components/dialogs/dialog';
import { Form } from '../../../_components/forms/form';
import { FormEnd, Problem } from '../../../_components/forms/form-end';
import { DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { useUndo } from '../../../_components/use-undo';
import type { BulkProps } from '../kind';
import type { ServiceRow } from '../types';
import { useWords } from '../words';
import {
  changedPrice,
  formatPrice,
  hasRounding,
  type PriceChange,
  parsePriceChange,
  priceQuestion,
  ROUNDINGS,
  type Rounding,
} from './money';
import { NextPriceText } from './next-price-text';

type Price = { amount: number; currency: string };
type Line = { id: string; name: string; before: Price; after: Price | null; next: ServiceRow['next_price'] };

function linesOf(rows: readonly ServiceRow[], change: PriceChange | null, rounding: Rounding): Line[] {
  return rows.flatMap(({ id, name, price_amount: amount, price_currency: currency, next_price: next }) => {
    if (amount === null || currency === null) return [];
    const before = { amount, currency };
    return [{ id, name, before, after: change && changedPrice(before, change, rounding), next }];
  });
}

/** The button that changes the prices of the selected services. A dialog shows each new price before it is saved. */
export function PriceButton({ rows, onDone }: BulkProps<ServiceRow>) {
  const t = useTranslations('catalog.prices');
  const [opened, { open, close }] = useDisclosure();
  const done = () => {
    close();
    onDone();
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {t('change')}
      </Button>
      <UnscheduleButton rows={rows} onDone={onDone} />
      <Dialog opened={opened} onClose={close} title={t('change')} size="lg">
        <PriceForm rows={rows} onClose={close} onDone={done} />
      </Dialog>
    </>
  );
}

function UnscheduleButton({ rows, onDone }: BulkProps<ServiceRow>) {
  const t = useTranslations('catalog.prices');
  const trpc = useTRPC();
  const done = useDone(trpc.catalog);
  const showDone = useUndo();
  const scheduled = rows.filter(({ next_price }) => next_price !== null);
  const remove = useMutation(
    trpc.catalog.bulk.unschedule_prices.mutationOptions({
      onSuccess: ({ changed, undo }) => {
        onDone();
        showDone(t('unscheduled', { count: changed }), undo);
      },
      onError: ({ message }) => notifications.show({ color: 'red', message }),
      onSettled: () => done(),
    }),
  );
  if (scheduled.length === 0) return null;
  return (
    <Button
      variant="default"
      size="xs"
      loading={remove.isPending}
      onClick={() => remove.mutate({ ids: scheduled.map(({ id }) => id) })}
    >
      {t('unschedule', { count: scheduled.length })}
    </Button>
  );
}

type FormProps = { rows: readonly ServiceRow[]; onClose: () => void; onDone: () => void };

function PriceForm({ rows, onClose, onDone }: FormProps) {
  const {
    t,
    format: { language },
  } = useWords();
  const [by, setBy] = useState<PriceChange['by']>('percent');
  const [text, setText] = useState('');
  const [rounding, setRounding] = useState<Rounding>('none');
  const [validFrom, setValidFrom] = useState<string | null>(null);
  const [isAsking, { open: ask, close: goBack }] = useDisclosure();
  const change = parsePriceChange(by, text, language);
  const lines = linesOf(rows, change, rounding);
  const changes = lines.flatMap(({ id, before, after }) => (after ? [{ id, before, amount: after.amount }] : []));
  const isReady = changes.length > 0 && changes.length === lines.length && validFrom !== '';
  const large = lines.filter(({ before, after }) => after && priceQuestion(t, before, after, language) !== null).length;
  const { save, problem, busy } = useSavePrices(changes, validFrom, goBack, onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    if (large > 0) ask();
    else save();
  };
  return (
    <Form busy={busy} onSubmit={submit}>
      <Stack>
        <SegmentedControl
          aria-label={t('prices.by')}
          value={by}
          onChange={(value) => setBy(value as PriceChange['by'])}
          data={[
            { value: 'percent', label: t('prices.percent') },
            { value: 'amount', label: t('prices.amount') },
          ]}
        />
        <TextInput
          label={t(by === 'percent' ? 'prices.percentLabel' : 'prices.amountLabel')}
          description={t(by === 'percent' ? 'prices.percentHint' : 'prices.amountHint')}
          value={text}
          error={
            text !== '' &&
            changes.length < lines.length &&
            t(by === 'percent' ? 'prices.percentProblem' : 'prices.amountProblem')
          }
          autoComplete="off"
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('prices.round')}
          description={roundingHint(t, rounding, lines)}
          value={rounding}
          onChange={(event) => setRounding(event.currentTarget.value as Rounding)}
          data={ROUNDINGS.map((value) => ({ value, label: t(`prices.roundings.${ROUNDING_NAMES[value]}`) }))}
        />
        <ValidFrom value={validFrom} onChange={setValidFrom} />
        <Preview lines={lines} skipped={rows.length - lines.length} />
        <Problem error={problem} />
        <FormEnd
          verb={t(validFrom === null ? 'prices.changeMany' : 'prices.scheduleMany', { count: lines.length })}
          busy={busy}
          disabled={!isReady}
          onCancel={onClose}
        />
      </Stack>
      <ConfirmDialog
        title={t('prices.ask')}
        opened={isAsking}
        onClose={goBack}
        cancel={t('prices.back')}
        action={t('prices.saveAnyway')}
        busy={busy}
        problem={problem?.message}
        onConfirm={save}
      >
        <Text size="sm">{t('prices.large', { count: large })}</Text>
      </ConfirmDialog>
    </Form>
  );
}

type ValidFromProps = { value: string | null; onChange: (date: string | null) => void };

/** From when the prices are valid: null for now, a date, or an empty text until a date is chosen. */
function ValidFrom({ value, onChange }: ValidFromProps) {
  const t = useTranslations('catalog.prices');
  return (
    <>
      <Radio.Group
        label={t('valid')}
        description={t('validHint')}
        value={value === null ? 'now' : 'later'}
        onChange={(when) => onChange(when === 'now' ? null : '')}
      >
        <Group mt="xs">
          <Radio value="now" label={t('now')} />
          <Radio value="later" label={t('later')} />
        </Group>
      </Radio.Group>
      {value !== null && (
        <TextInput
          type="date"
          label={t('firstDate')}
          description={t('firstDateHint')}
          maw={280}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  );
}

/** The keys of their names. A key cannot contain a point. */
const ROUNDING_NAMES = {
  none: 'none',
  whole: 'whole',
  '.50': 'half',
  '.90': 'ninety',
  '.95': 'ninetyFive',
  '.99': 'ninetyNine',
} as const satisfies Record<Rounding, string>;

function roundingHint(t: Translator<'catalog'>, rounding: Rounding, lines: readonly Line[]): string {
  const currencies = [...new Set(lines.map(({ before }) => before.currency))];
  const without = currencies.filter((currency) => !hasRounding(rounding, currency));
  if (rounding === 'none') return t('prices.smallestUnit');
  return without.length === 0 ? t('prices.roundRule') : t('prices.roundRuleExcept', { currencies: without.join(', ') });
}

function useSavePrices(
  changes: { id: string; before: Price; amount: number }[],
  validFrom: string | null,
  goBack: () => void,
  onDone: () => void,
) {
  const t = useTranslations('catalog.prices');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const showDone = useUndo();
  const mutation = useMutation(
    trpc.catalog.bulk.set_prices.mutationOptions({
      onSuccess: (result) => {
        goBack();
        onDone();
        if ('changed' in result) showDone(t('changed', { count: result.changed }), result.undo);
      },
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() }),
    }),
  );
  const scheduling = useMutation(
    trpc.catalog.bulk.schedule_prices.mutationOptions({
      onSuccess: ({ changed, undo }) => {
        goBack();
        onDone();
        showDone(t('scheduled', { count: changed }), undo);
      },
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() }),
    }),
  );
  const { error: problem, isPending: busy } = validFrom === null ? mutation : scheduling;
  const save = () =>
    validFrom === null ? mutation.mutate({ changes }) : scheduling.mutate({ changes, valid_from: validFrom });
  return { save, problem, busy };
}

function Preview({ lines, skipped }: { lines: readonly Line[]; skipped: number }) {
  const {
    t,
    format: { language },
  } = useWords();
  return (
    <>
      {lines.length > 0 && (
        <DataTable
          caption={t('prices.table')}
          minWidth={320}
          dense
          frameProps={{ style: { maxHeight: 360 } }}
          columns={[
            t('prices.service'),
            { label: t('prices.price'), numeric: true },
            { label: t('prices.newPrice'), numeric: true },
          ]}
        >
          {lines.map(({ id, name, before, after, next }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row">
                {name}
                {next && <NextPriceText next={next} />}
              </Table.Th>
              <Table.Td data-label={t('prices.price')} data-numeric>
                {formatPrice(before.amount, before.currency, language)}
              </Table.Td>
              <Table.Td data-label={t('prices.newPrice')} data-numeric>
                {after ? formatPrice(after.amount, after.currency, language) : '–'}
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      {skipped > 0 && <Alert color="gray">{t('prices.skipped', { count: skipped })}</Alert>}
    </>
  );
}

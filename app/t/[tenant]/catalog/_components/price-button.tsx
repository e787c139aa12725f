'use client';

import { Alert, Button, Group, NativeSelect, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Dialog } from '../../_components/dialogs/dialog';
import { plural } from '../../_components/format';
import { FormEnd, Problem } from '../../_components/forms/form-end';
import { Column, Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { useTRPC } from '../../_components/trpc';
import { useUndo } from '../../_components/use-undo';
import type { BulkProps } from './kind';
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
import type { ServiceRow } from './types';

type Price = { amount: number; currency: string };
type Line = { id: string; name: string; before: Price; after: Price | null; next: ServiceRow['next_price'] };

/** Returns the selected services that have a price, each with its new price. */
function linesOf(rows: readonly ServiceRow[], change: PriceChange | null, rounding: Rounding): Line[] {
  return rows.flatMap(({ id, name, price_amount: amount, price_currency: currency, next_price: next }) => {
    if (amount === null || currency === null) return [];
    const before = { amount, currency };
    return [{ id, name, before, after: change && changedPrice(before, change, rounding), next }];
  });
}

/** The button that changes the prices of the selected services. A dialog shows each new price before it is saved. */
export function PriceButton({ rows, onDone }: BulkProps<ServiceRow>) {
  const [opened, { open, close }] = useDisclosure();
  const done = () => {
    close();
    onDone();
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Change prices
      </Button>
      <UnscheduleButton rows={rows} onDone={onDone} />
      <Dialog opened={opened} onClose={close} title="Change prices" size="lg">
        <PriceForm rows={rows} onClose={close} onDone={done} />
      </Dialog>
    </>
  );
}

/** Removes the scheduled prices of the selected services, if there are any. */
function UnscheduleButton({ rows, onDone }: BulkProps<ServiceRow>) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const showDone = useUndo();
  const scheduled = rows.filter(({ next_price }) => next_price !== null);
  const remove = useMutation(
    trpc.catalog.bulk.unschedule_prices.mutationOptions({
      onSuccess: ({ changed, undo }) => {
        onDone();
        showDone(`${plural(changed, 'scheduled price')} removed.`, undo);
      },
      onError: ({ message }) => notifications.show({ color: 'red', message }),
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() }),
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
      Remove {plural(scheduled.length, 'scheduled price')}
    </Button>
  );
}

type FormProps = { rows: readonly ServiceRow[]; onClose: () => void; onDone: () => void };

function PriceForm({ rows, onClose, onDone }: FormProps) {
  const [by, setBy] = useState<PriceChange['by']>('percent');
  const [text, setText] = useState('');
  const [rounding, setRounding] = useState<Rounding>('none');
  const [validFrom, setValidFrom] = useState<string | null>(null);
  const [isAsking, { open: ask, close: goBack }] = useDisclosure();
  const change = parsePriceChange(by, text);
  const lines = linesOf(rows, change, rounding);
  const changes = lines.flatMap(({ id, before, after }) => (after ? [{ id, before, amount: after.amount }] : []));
  const isReady = changes.length > 0 && changes.length === lines.length && validFrom !== '';
  const large = lines.filter(({ before, after }) => after && priceQuestion(before, after) !== null).length;
  const { save, problem, busy } = useSavePrices(changes, validFrom, goBack, onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    if (large > 0) ask();
    else save();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <SegmentedControl
          aria-label="Change by"
          value={by}
          onChange={(value) => setBy(value as PriceChange['by'])}
          data={[
            { value: 'percent', label: 'Percentage' },
            { value: 'amount', label: 'Amount' },
          ]}
        />
        <TextInput
          label={by === 'percent' ? 'Percentage change' : 'Amount to add to each price'}
          description={
            by === 'percent'
              ? 'For example, 5 raises each price by 5%, and -5 lowers it by 5%.'
              : 'For example, 10.00. To lower prices, enter a negative amount, such as -10.00.'
          }
          value={text}
          error={text !== '' && changes.length < lines.length && problemOf(by)}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          label="Round to"
          description={roundingHint(rounding, lines)}
          value={rounding}
          onChange={(event) => setRounding(event.currentTarget.value as Rounding)}
          data={ROUNDINGS.map((value) => ({ value, label: ROUNDING_NAMES[value] }))}
        />
        <ValidFrom value={validFrom} onChange={setValidFrom} />
        <Preview lines={lines} skipped={rows.length - lines.length} />
        <Problem error={problem} />
        <FormEnd
          verb={`${validFrom === null ? 'Change' : 'Schedule'} ${plural(lines.length, 'price')}`}
          busy={busy}
          disabled={!isReady}
          onCancel={onClose}
        />
      </Stack>
      <ConfirmDialog
        title="Save these prices?"
        opened={isAsking}
        onClose={goBack}
        cancel="Back"
        action="Save anyway"
        busy={busy}
        problem={problem?.message ?? null}
        onConfirm={save}
      >
        <Text size="sm">{plural(large, 'price')} will become zero or change by more than 50%.</Text>
      </ConfirmDialog>
    </form>
  );
}

type ValidFromProps = { value: string | null; onChange: (date: string | null) => void };

/** From when the prices are valid: null for now, a date, or an empty text until a date is chosen. */
function ValidFrom({ value, onChange }: ValidFromProps) {
  return (
    <>
      <Radio.Group
        label="Valid"
        description="A price applies to bookings that are made while it is valid, whatever the date of the appointment. Existing bookings keep theirs."
        value={value === null ? 'now' : 'later'}
        onChange={(when) => onChange(when === 'now' ? null : '')}
      >
        <Group mt="xs">
          <Radio value="now" label="Now" />
          <Radio value="later" label="From a date" />
        </Group>
      </Radio.Group>
      {value !== null && (
        <TextInput
          type="date"
          label="First date"
          description="From its beginning, in the time zone of the business. At most a year ahead. Replaces a price that is scheduled already."
          maw={280}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  );
}

const ROUNDING_NAMES: Record<Rounding, string> = {
  none: 'No rounding',
  whole: 'Whole amounts: 17.00, 18.00',
  '.50': 'Half amounts: 17.00, 17.50',
  '.90': 'Ending with .90: 16.90, 17.90',
  '.95': 'Ending with .95: 16.95, 17.95',
  '.99': 'Ending with .99: 16.99, 17.99',
};

/** States the rule, and the currencies that have no such prices. */
function roundingHint(rounding: Rounding, lines: readonly Line[]): string {
  const currencies = [...new Set(lines.map(({ before }) => before.currency))];
  const without = currencies.filter((currency) => !hasRounding(rounding, currency));
  const rule =
    'Each new price becomes the nearest such price, and in the middle the higher one. A free service stays free.';
  if (rounding === 'none') return 'To the smallest unit of the currency.';
  return without.length === 0 ? rule : `${rule} ${without.join(', ')} has no such prices, and is not rounded to them.`;
}

function problemOf(by: PriceChange['by']): string {
  return by === 'percent'
    ? 'Enter a percentage from -100 to 1,000, such as 5 or -2.5.'
    : 'Enter an amount, such as 10.00 or -10.00. No price can become negative.';
}

function useSavePrices(
  changes: { id: string; before: Price; amount: number }[],
  validFrom: string | null,
  goBack: () => void,
  onDone: () => void,
) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const showDone = useUndo();
  const mutation = useMutation(
    trpc.catalog.bulk.set_prices.mutationOptions({
      onSuccess: (result) => {
        goBack();
        onDone();
        if ('changed' in result) showDone(`${plural(result.changed, 'price')} changed.`, result.undo);
      },
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() }),
    }),
  );
  const scheduling = useMutation(
    trpc.catalog.bulk.schedule_prices.mutationOptions({
      onSuccess: ({ changed, undo }) => {
        goBack();
        onDone();
        showDone(`${plural(changed, 'price')} scheduled.`, undo);
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
  return (
    <>
      {lines.length > 0 && (
        <DataTable caption="New prices" minWidth={320} frameProps={{ style: { maxHeight: 360 } }}>
          <Table.Thead>
            <Table.Tr>
              <Columns labels={['Service']} />
              <Column label="Price" numeric />
              <Column label="New price" numeric />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map(({ id, name, before, after, next }) => (
              <Table.Tr key={id}>
                <Table.Th scope="row">
                  {name}
                  {next && <NextPriceText next={next} />}
                </Table.Th>
                <Table.Td data-label="Price" data-numeric>
                  {formatPrice(before.amount, before.currency)}
                </Table.Td>
                <Table.Td data-label="New price" data-numeric>
                  {after ? formatPrice(after.amount, after.currency) : '–'}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </DataTable>
      )}
      {skipped > 0 && (
        <Alert color="gray">{plural(skipped, 'selected service has', 'selected services have')} no price.</Alert>
      )}
    </>
  );
}

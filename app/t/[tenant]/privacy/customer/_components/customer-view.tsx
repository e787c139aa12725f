'use client';

import { Alert, Badge, Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { Dialog } from '../../../_components/dialogs/dialog';
import { Form } from '../../../_components/forms/form';
import { FormEnd, Points, Problem } from '../../../_components/forms/form-end';
import { EmptyState } from '../../../_components/states';
import { DataTable } from '../../../_components/tables/data-table';
import { saveFile } from '../../../_components/tables/save-file';
import { Table } from '../../../_components/tables/table';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { dateText, timeText } from '../../../bookings/_components/display/format';
import { StatusBadge } from '../../../bookings/_components/display/status-badge';
import { readName, readSearchedPhone } from '../../../bookings/_components/list/phone';
import { Erasures } from './erasures';
import { keptTexts, toRemove } from './texts';
import type { CustomerExport, FoundBooking, FoundBy, Search } from './types';

// Only needed after an export.
const Report = dynamic(() => import('./report').then((module) => module.Report));

type Shown = { foundBy: FoundBy; chosen: ReadonlySet<string> };

/** Finds all data of one customer, hands it out, and erases it. Nothing of it is in the URL, a cache, or browser storage. */
export function CustomerView() {
  const trpc = useTRPC();
  const t = useTranslations('privacy.customer');
  const { language } = useFormats();
  const eitherOf = (texts: readonly string[]) => new Intl.ListFormat(language, { type: 'disjunction' }).format(texts);
  const [shown, setShown] = useState<Shown | null>(null);
  const [report, setReport] = useState<CustomerExport | null>(null);
  const [erasing, setErasing] = useState(false);
  const find = useMutation(trpc.privacy.customer.find.mutationOptions({ gcTime: 0 }));
  const exporting = useMutation(trpc.privacy.customer.export.mutationOptions({ gcTime: 0 }));
  const bookings = find.data?.bookings ?? [];
  const chosen = bookings.filter(({ reference }) => shown?.chosen.has(reference));
  const search = (searched: Parameters<typeof find.mutate>[0], foundBy: FoundBy) => {
    exporting.reset();
    find.mutate(searched, {
      // A number belongs to one person. People with the same name are chosen one by one.
      onSuccess: (found) => {
        const all = foundBy === 'phone' ? found.bookings.map(({ reference }) => reference) : [];
        setShown({ foundBy, chosen: new Set(all) });
      },
    });
  };
  const handOut = (use: (data: CustomerExport) => void) => {
    if (!shown) return;
    const references = chosen.map(({ reference }) => reference);
    exporting.mutate({ found_by: shown.foundBy, references }, { onSuccess: use });
  };
  if (report) return <Report data={report} onBack={() => setReport(null)} />;
  const field = find.error?.data?.fields?.[0];
  return (
    <Stack gap="lg">
      <SearchForm
        busy={find.isPending}
        problem={field ? t('problem', { message: field.message }) : null}
        onSearch={search}
      />
      {find.error && !field && <Problem error={find.error} />}
      {find.data && shown && bookings.length === 0 && (
        <EmptyState title={t('none')}>
          {find.data.understood.length > 0 && `${t('understood', { numbers: eitherOf(find.data.understood) })} `}
          {t('removedBefore')}
        </EmptyState>
      )}
      {shown && bookings.length > 0 && (
        <Stack component="section" gap="sm" aria-label={t('foundLabel')}>
          <Text size="sm" role="status">
            {t(find.data?.truncated ? 'foundFirst' : 'found', { count: bookings.length })}
          </Text>
          {find.data?.truncated && <Alert color="yellow">{t('truncated')}</Alert>}
          <FoundTable
            bookings={bookings}
            chosen={shown.chosen}
            onChoose={(next) => setShown({ ...shown, chosen: next })}
          />
          <Group gap="sm">
            <Text size="sm" aria-live="polite">
              {t('chosen', { chosen: chosen.length, all: bookings.length })}
            </Text>
            <Button
              variant="default"
              disabled={chosen.length === 0}
              loading={exporting.isPending}
              onClick={() => handOut(setReport)}
            >
              {t('readable')}
            </Button>
            <Button
              variant="default"
              disabled={chosen.length === 0}
              loading={exporting.isPending}
              onClick={() => handOut(saveJson)}
            >
              {t('json')}
            </Button>
            <Button color="red.9" disabled={chosen.length === 0} onClick={() => setErasing(true)}>
              {t('erase')}
            </Button>
          </Group>
          <Problem error={exporting.error} />
          <EraseDialog
            foundBy={shown.foundBy}
            bookings={chosen}
            opened={erasing}
            onClose={() => setErasing(false)}
            onErasing={() => {
              setErasing(false);
              setShown(null);
              find.reset();
            }}
          />
        </Stack>
      )}
      <Erasures />
    </Stack>
  );
}

/** The name of the file has no data of the customer. */
function saveJson(data: CustomerExport): void {
  const name = `customer-data-${data.exported_at.slice(0, 10)}.json`;
  saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), name);
}

type Props = {
  foundBy: FoundBy;
  bookings: readonly FoundBooking[];
  opened: boolean;
  onClose: () => void;
  onErasing: () => void;
};

function EraseDialog({ foundBy, bookings, opened, onClose, onErasing }: Props) {
  const trpc = useTRPC();
  const all = useTranslations('privacy');
  const t = useTranslations('privacy.erase');
  const done = useDone(trpc.privacy);
  const [typed, setTyped] = useState('');
  const erase = useMutation(
    trpc.privacy.customer.erase.mutationOptions({
      onSuccess: () => {
        setTyped('');
        onErasing();
        return done();
      },
    }),
  );
  const close = () => {
    erase.reset();
    setTyped('');
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== word) return;
    const references = bookings.map(({ reference }) => reference);
    erase.mutate({ found_by: foundBy, references, confirmation: 'ERASE' });
  };
  const word = t('word');
  const upcoming = bookings.filter((booking) => booking.upcoming).length;
  return (
    <Dialog opened={opened} onClose={close} title={t('title')} size="lg">
      <Form busy={erase.isPending} onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('effect', { count: bookings.length })}</Text>
          {upcoming > 0 && <Alert color="yellow">{t('upcoming', { count: upcoming })}</Alert>}
          <Points title={t('removed')} points={toRemove(all)} />
          <Points title={t('kept')} points={keptTexts(all)} />
          <TextInput
            label={t('confirm', { word })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            maxLength={20}
            maw={260}
            data-autofocus
          />
          <Problem error={erase.error} />
          <FormEnd verb={t('action')} danger busy={erase.isPending} disabled={typed.trim() !== word} onCancel={close} />
        </Stack>
      </Form>
    </Dialog>
  );
}

const KINDS: readonly FoundBy[] = ['phone', 'name'];

type SearchFormProps = { busy: boolean; problem: string | null; onSearch: (search: Search, foundBy: FoundBy) => void };

function SearchForm({ busy, problem, onSearch }: SearchFormProps) {
  const t = useTranslations('privacy.search');
  const [kind, setKind] = useState<FoundBy>('phone');
  const [text, setText] = useState('');
  const [refused, setRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = kind === 'name' ? readName(text) : null;
    const search = kind === 'phone' ? readSearchedPhone(text) : name === null ? null : { name };
    setRefused(search === null);
    if (search !== null) onSearch(search, kind);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={560}>
        <SegmentedControl
          aria-label={t('by')}
          data={KINDS.map((value) => ({ value, label: t(`${value}.kind`) }))}
          value={kind}
          onChange={(value) => {
            setKind(value === 'name' ? 'name' : 'phone');
            setText('');
            setRefused(false);
          }}
          w="fit-content"
        />
        <Group align="flex-start" gap="sm">
          <TextInput
            label={t(`${kind}.label`)}
            description={t(`${kind}.hint`)}
            error={refused ? t(`${kind}.problem`) : problem}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={200}
            autoComplete="off"
            required
            flex={1}
            miw={260}
          />
        </Group>
        <Button type="submit" loading={busy} w="fit-content">
          {t('find')}
        </Button>
      </Stack>
    </form>
  );
}

type FoundTableProps = {
  bookings: readonly FoundBooking[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
};

function FoundTable({ bookings, chosen, onChoose }: FoundTableProps) {
  const t = useTranslations('privacy.foundTable');
  const all = chosen.size === bookings.length;
  const toggle = (reference: string) => {
    const next = new Set(chosen);
    if (!next.delete(reference)) next.add(reference);
    onChoose(next);
  };
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('all', { count: bookings.length })}
        checked={all}
        indeterminate={!all && chosen.size > 0}
        onChange={() => onChoose(new Set(all ? [] : bookings.map(({ reference }) => reference)))}
      />
      <DataTable
        caption={t('caption')}
        minWidth={820}
        dense
        columns={[
          { label: t('choose'), hidden: true },
          t('customer'),
          t('appointment'),
          t('maker'),
          t('optional'),
          t('status'),
        ]}
      >
        {bookings.map((booking) => (
          <Row
            key={booking.reference}
            booking={booking}
            checked={chosen.has(booking.reference)}
            onToggle={() => toggle(booking.reference)}
          />
        ))}
      </DataTable>
    </Stack>
  );
}

function Row({ booking, checked, onToggle }: { booking: FoundBooking; checked: boolean; onToggle: () => void }) {
  const t = useTranslations('privacy.foundTable');
  const format = useFormats();
  const { reference, name, phone_masked, date, start_time, service, location, application } = booking;
  const when = t('when', { date: dateText(format, date), time: timeText(format, start_time) });
  const kinds = [...booking.optional, ...(booking.consent_withdrawn ? (['consentWithdrawn'] as const) : [])];
  return (
    <Table.Tr>
      <Table.Td data-wide="all">
        <Checkbox aria-label={t('chooseOne', { when, service: service.name })} checked={checked} onChange={onToggle} />
      </Table.Td>
      <Table.Td data-label={t('customer')} data-wide>
        {name || t('unreadable')}
        <Hint size="xs">{phone_masked}</Hint>
      </Table.Td>
      <Table.Td data-label={t('appointment')} data-wide>
        <TextLink href={`/bookings/${reference}`} fz={13} fw={600}>
          {when}
        </TextLink>
        <Hint size="xs">
          {service.name} · {location.name}
        </Hint>
      </Table.Td>
      <Table.Td data-label={t('maker')}>{application?.name ?? t('business')}</Table.Td>
      <Table.Td data-label={t('optional')}>{kinds.map((kind) => t(`kinds.${kind}`)).join(', ') || '–'}</Table.Td>
      <Table.Td data-label={t('status')}>
        <Group gap={6}>
          <StatusBadge status={booking.status} />
          {booking.upcoming && (
            <Badge variant="light" color="yellow" tt="none">
              {t('upcoming')}
            </Badge>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

'use client';

import { Alert, Button, Group, List, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { type Translator, useFormats } from '@/app/_components/language';
import { EmptyState, ErrorState, NotLoaded } from '../../../_components/states';
import { DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { SHORT_TIME } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { DayStepper, useToday } from '../../../bookings/_components/day-stepper';
import { longDateText, shiftDate, timesText, timeText } from '../../../bookings/_components/display/format';
import styles from '../../_components/catalog.module.css';
import { CatalogFrame } from '../../_components/catalog-frame';
import type { Choices, DayPreview } from '../../_components/types';
import { PARSERS } from './query';

type Patch = { service?: string; location?: string; date?: string };
type Go = (patch: Patch) => void;

/** Shows the slots of one day as partners see them. The preview and the partner API use the same availability code. */
export function PreviewView() {
  const t = useTranslations('catalog');
  const trpc = useTRPC();
  const { query, go: change } = useUrlState(PARSERS);
  const past = { at: query.at, time: query.time, specialist: query.specialist };
  // Another day or record has nothing to do with the request whose moment was shown.
  const go: Go = (patch) => change({ at: null, time: null, specialist: null, ...patch });
  const today = useToday();
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  const service = query.service ?? choices.data?.services[0]?.id ?? null;
  const location = query.location ?? choices.data?.locations[0]?.id ?? null;
  const date = query.date ?? (today && shiftDate(today, 1));
  return (
    <CatalogFrame title={t('pages.preview')} lead={t('preview.lead')}>
      {choices.isError && <ErrorState error={choices.error} retry={() => void choices.refetch()} />}
      {choices.data && (service === null || location === null) && (
        <EmptyState title={t('preview.nothing')}>{t('preview.createFirst')}</EmptyState>
      )}
      {choices.data && service !== null && location !== null && date !== null && (
        <Stack gap="md">
          <Controls choices={choices.data} service={service} location={location} date={date} go={go} />
          <Day service={service} location={location} date={date} past={past} showNow={() => go({})} />
        </Stack>
      )}
    </CatalogFrame>
  );
}

type DayProps = { service: string; location: string; date: string };

function Controls({ choices, service, location, date, go }: DayProps & { choices: Choices; go: Go }) {
  const t = useTranslations('catalog.preview');
  const options = (list: readonly { id: string; name: string; published: boolean }[]) =>
    list.map(({ id, name, published }) => ({ value: id, label: published ? name : t('unpublished', { name }) }));
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label={t('service')}
        value={service}
        data={options(choices.services)}
        onChange={(event) => go({ service: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('location')}
        value={location}
        data={options(choices.locations)}
        onChange={(event) => go({ location: event.currentTarget.value })}
      />
      <DayStepper date={date} onChange={(next) => go({ date: next })} />
    </Group>
  );
}

type Past = { at: string | null; time: string | null; specialist: string | null };

function Day({ service, location, date, past, showNow }: DayProps & { past: Past; showNow: () => void }) {
  const t = useTranslations('catalog.preview');
  const format = useFormats();
  const trpc = useTRPC();
  const asked = { at: past.at, start_time: past.time, specialist_id: past.specialist };
  const input = { service_id: service, location_id: location, date, ...asked };
  const preview = useQuery(
    trpc.catalog.preview.queryOptions(input, { placeholderData: keepPreviousData, staleTime: 0 }),
  );
  if (preview.error?.data?.code === 'not_found')
    return <EmptyState title={t('missing')}>{t('selectOther')}</EmptyState>;
  if (preview.isError || !preview.data) return <NotLoaded query={preview} rows={4} height={56} />;
  const { blockers, slots, time_zone: zone } = preview.data;
  return (
    <Stack gap="md">
      {past.at !== null && <PastNotice at={past.at} asked={preview.data.asked} showNow={showNow} />}
      {blockers.length > 0 && (
        <Alert color="yellow" title={t('notVisible')}>
          <List size="sm">
            {blockers.map((blocker) => (
              <List.Item key={blocker}>{t(`blockers.${blocker}`)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text size="sm" role="status">
        {t('summary', { date: longDateText(format, date), count: slots.length, zone })}
      </Text>
      {slots.length === 0 ? <NoSlots preview={preview.data} /> : <Slots preview={preview.data} />}
      <RefusedStarts preview={preview.data} />
    </Stack>
  );
}

type PastProps = { at: string; asked: DayPreview['asked']; showNow: () => void };

function PastNotice({ at, asked, showNow }: PastProps) {
  const t = useTranslations('catalog.preview');
  const tReasons = useTranslations('catalog.reasons');
  const format = useFormats();
  return (
    <Alert variant="default" title={t.rich('asOf', { time: () => <Time value={at} /> })}>
      <Stack gap="xs" align="flex-start">
        {asked && (
          <Text size="sm" fw={600}>
            {t('asked', {
              time: timeText(format, asked.start_time),
              reason: asked.reason === null ? t('bookable') : reasonText(tReasons, asked.reason),
            })}
          </Text>
        )}
        <Text size="sm">{t('past')}</Text>
        <Button variant="default" size="xs" onClick={showNow}>
          {t('showNow')}
        </Button>
      </Stack>
    </Alert>
  );
}

function NoSlots({ preview }: { preview: DayPreview }) {
  const t = useTranslations('catalog.preview');
  return (
    <EmptyState title={t('noSlots')}>
      {t.rich('window', {
        from: () => <Time value={preview.bookable_from} options={SHORT_TIME} />,
        until: () => <Time value={preview.bookable_until} options={SHORT_TIME} />,
      })}
    </EmptyState>
  );
}

function Slots({ preview: { slots, specialists } }: { preview: DayPreview }) {
  const t = useTranslations('catalog.preview');
  const format = useFormats();
  const names = new Map(specialists.map(({ id, name }) => [id, name]));
  return (
    <ul className={styles.slots} aria-label={t('slots')}>
      {slots.map((slot) => (
        <li key={slot.starts_at} className={styles.slot}>
          <Text size="sm" fw={600}>
            {timesText(format, slot)}
          </Text>
          <Hint size="xs">
            {t('seats', {
              count: slot.available_capacity,
              specialists: slot.specialist_ids.map((id) => names.get(id) ?? id).join(', '),
            })}
          </Hint>
        </li>
      ))}
    </ul>
  );
}

type RefusedGroup = DayPreview['refused'][number];

function RefusedStarts({ preview: { refused, specialists } }: { preview: DayPreview }) {
  const t = useTranslations('catalog.refused');
  const tReasons = useTranslations('catalog.reasons');
  const format = useFormats();
  if (refused.length === 0) return null;
  const names = new Map(specialists.map(({ id, name }) => [id, name]));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('title')}
      </Title>
      <DataTable
        caption={t('caption')}
        label={t('title')}
        minWidth={640}
        dense
        columns={[t('starts'), t('why'), t('specialists')]}
      >
        {refused.map((group) => (
          <Table.Tr key={group.from}>
            <Table.Td data-label={t('starts')}>
              {group.count === 1
                ? timeText(format, group.from)
                : timesText(format, { start_time: group.from, end_time: group.to })}
              {group.count > 1 && <Hint size="xs">{t('count', { count: group.count })}</Hint>}
            </Table.Td>
            <Table.Td data-label={t('why')} data-wide>
              {reasonText(tReasons, group.reason)}
            </Table.Td>
            <Table.Td data-label={t('specialists')} data-wide>
              <OwnReasons group={group} names={names} />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Stack>
  );
}

/** If all specialists have the reason of the start, it is not repeated. */
function OwnReasons({ group, names }: { group: RefusedGroup; names: ReadonlyMap<string, string> }) {
  const t = useTranslations('catalog.refused');
  const tReasons = useTranslations('catalog.reasons');
  const { specialists, reason, more_specialists: more } = group;
  if (specialists.length === 0) return '–';
  if (specialists.every((one) => one.reason === reason)) return t(specialists.length + more === 1 ? 'only' : 'all');
  return (
    <>
      {specialists.map((one) => (
        <Text key={one.id} size="xs">
          {t('own', {
            name: names.get(one.id) ?? one.id,
            reason: one.reason === null ? t('free') : reasonText(tReasons, one.reason),
          })}
        </Text>
      ))}
      {more > 0 && <Text size="xs">{t('more', { count: more })}</Text>}
    </>
  );
}

/** Returns the reason itself if a later version of the server states another one. */
function reasonText(t: Translator<'catalog.reasons'>, reason: string): string {
  const key = reason as 'lead_time';
  return t.has(key) ? t(key) : reason;
}

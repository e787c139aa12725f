'use client';

import { Anchor, Box, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { ApplicationRow } from '../../_components/api-types';
import { CopyValue } from '../../_components/id';
import { Column, Columns, DataTable, SortColumn } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { requestsHref } from '../../requests/_components/query';
import styles from './applications.module.css';
import { Count, None } from './count';
import type { ListQuery } from './list-query';
import { presetOf, scopeKey } from './scopes';
import { ApplicationState } from './state-badge';

type Sort = ListQuery['sort'];
type OnSort = (sort: Sort, direction: ListQuery['direction']) => void;

type Props = { applications: ApplicationRow[]; query: ListQuery; busy: boolean; onSort: OnSort };

/** One page of applications, with their traffic from the last 24 hours. */
export function ApplicationTable({ applications, query, busy, onSort }: Props) {
  const t = useTranslations('applications.table');
  const title = useTranslations('applications.list')('title');
  // `first` is the sort direction after the first click on a column header. The first click sorts names from A to Z,
  // and numbers and times from the highest value to the lowest.
  const sort = (by: Sort, first: ListQuery['direction']) => {
    const direction = query.sort === by ? query.direction : null;
    const next = direction === null ? first : direction === 'asc' ? 'desc' : 'asc';
    return { direction, onSort: () => onSort(by, next) };
  };
  return (
    <DataTable caption={title} minWidth={900} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <SortColumn label={t('name')} {...sort('name', 'asc')} />
          <Columns labels={[t('status'), t('permissions'), t('locations')]} />
          <Column label={t('keys')} numeric />
          <SortColumn label={t('lastRequest')} {...sort('last_request_at', 'desc')} />
          <SortColumn label={t('requests')} numeric {...sort('requests_24h', 'desc')} />
          <SortColumn label={t('errors')} numeric {...sort('errors_24h', 'desc')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {applications.map((application) => (
          <Row key={application.id} application={application} />
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Row({ application }: { application: ApplicationRow }) {
  const t = useTranslations('applications.table');
  const format = useFormats();
  const { id, name, suspended_at: suspendedAt, last_request_at: last } = application;
  return (
    <Table.Tr>
      <Table.Th scope="row" role="rowheader">
        <Group gap={6} wrap="nowrap">
          <Anchor
            component={Link}
            href={`/applications/${id}`}
            size="sm"
            fw={600}
            lineClamp={2}
            title={name}
            dir="auto"
          >
            {name}
          </Anchor>
          <CopyValue value={id} label={t('copyId', { name })} />
        </Group>
      </Table.Th>
      <Table.Td data-label={t('status')}>
        <ApplicationState suspended={suspendedAt !== null} />
      </Table.Td>
      <Table.Td data-label={t('permissions')} data-wide={presetOf(application.scopes) ? undefined : true}>
        <Scopes scopes={application.scopes} />
      </Table.Td>
      <Box component={Table.Td} data-label={t('locations')} maw={{ base: undefined, sm: 170 }}>
        <Locations application={application} />
      </Box>
      <Table.Td data-label={t('keys')} data-numeric>
        {format.count(application.keys_in_use)}
      </Table.Td>
      <Table.Td data-label={t('lastRequest')}>
        {last ? <Time value={last} options={SHORT_TIME} /> : <None>{t('never')}</None>}
      </Table.Td>
      <Table.Td data-label={t('requests')} data-numeric>
        <Count
          value={application.requests_24h}
          href={requestsHref({ application: id })}
          of={t('requestsOf', { name })}
        />
      </Table.Td>
      <Table.Td data-label={t('errors')} data-numeric>
        <Count
          value={application.errors_24h}
          href={requestsHref({ application: id, status: 'error' })}
          of={t('errorsOf', { name })}
          bad
        />
        {application.errors_24h > 0 && (
          <Text span size="xs" c="dimmed" ml={4}>
            {format.percent(application.errors_24h / application.requests_24h)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Scopes({ scopes }: Pick<ApplicationRow, 'scopes'>) {
  const t = useTranslations('applications.table');
  const words = useTranslations('words.scopes');
  const presets = useTranslations('applications.form.presets');
  const preset = presetOf(scopes);
  if (scopes.length === 0) return <None>{t('noScopes')}</None>;
  if (preset) return presets(`${preset.name}.name`);
  return (
    <Group gap={4} miw={{ base: 0, sm: 130 }} maw={{ base: undefined, sm: 240 }}>
      {scopes.map((scope) => (
        <span key={scope} className={styles.scope} title={scope}>
          {words(`${scopeKey(scope)}.short`)}
        </span>
      ))}
    </Group>
  );
}

function Locations({ application }: { application: ApplicationRow }) {
  const { all_locations: all, location_count: count, location_names: names } = application;
  const t = useTranslations('applications.table');
  if (all) return t('allLocations');
  if (count === 0) return <None>{t('noLocations')}</None>;
  const more = count - names.length;
  const listed = names.join(', ');
  return <Text size="sm">{more > 0 ? t('moreLocations', { names: listed, count: more }) : listed}</Text>;
}

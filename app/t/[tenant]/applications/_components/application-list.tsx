'use client';

import { Box, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link, TextLink } from '@/app/_components/link';
import type { ApplicationRow } from '../../_components/api-types';
import { CopyValue } from '../../_components/id';
import { SearchField } from '../../_components/search/search-field';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState, NotLoaded, PastTheEnd } from '../../_components/states';
import { Column, Columns, DataTable, SortColumn } from '../../_components/tables/data-table';
import { NumberedPager } from '../../_components/tables/pager';
import { Table } from '../../_components/tables/table';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { requestsHref } from '../../requests/_components/query';
import styles from './applications.module.css';
import { Count, None } from './count';
import { changeQuery, type ListQuery, PARSERS } from './list-query';
import { presetOf, scopeKey } from './policy/scopes';
import { ApplicationState } from './state-badge';

/** Lists the business's applications, each with its traffic and a button to suspend it. */
export function ApplicationList({ canEdit }: { canEdit: boolean }) {
  const state = useUrlState(PARSERS, { change: changeQuery });
  const { query, go } = state;
  const t = useTranslations('applications.list');
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} actions={canEdit && <NewApplicationLink />} />
      <Stack gap="md">
        <Group gap="sm">
          <SearchField label={t('search')} value={query.search} onSearch={(search) => go({ search }, 'replace')} />
          <SegmentedControl
            aria-label={t('status')}
            value={query.status}
            onChange={(status) => go({ status: status as ListQuery['status'] })}
            data={[
              { value: 'any', label: t('all') },
              { value: 'active', label: t('active') },
              { value: 'suspended', label: t('suspended') },
            ]}
          />
        </Group>
        <Results state={state} canEdit={canEdit} />
      </Stack>
    </>
  );
}

function NewApplicationLink() {
  const t = useTranslations('applications.list');
  return (
    <Button component={Link} href="/applications/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('new')}
    </Button>
  );
}

type State = ReturnType<typeof useUrlState<typeof PARSERS>>;

function Results({ state: { query, href, go }, canEdit }: { state: State; canEdit: boolean }) {
  const t = useTranslations('applications.list');
  const trpc = useTRPC();
  const list = useQuery(trpc.applications.list.queryOptions(query, { placeholderData: keepPreviousData }));
  if (list.isError || !list.data) return <NotLoaded query={list} rows={6} height={64} />;
  const { applications, total, page_size: size } = list.data;
  if (total === 0) return <NoApplications canEdit={canEdit} query={query} go={go} />;
  return (
    <Stack gap="sm">
      {applications.length === 0 ? (
        <PastTheEnd page={query.page} onFirst={() => go({ page: 1 })} />
      ) : (
        <ApplicationTable
          applications={applications}
          query={query}
          busy={list.isPlaceholderData}
          onSort={(sort, direction) => go({ sort, direction })}
        />
      )}
      <NumberedPager page={query.page} count={t('count', { count: total })} {...{ total, size, href, go }} />
    </Stack>
  );
}

function NoApplications({ canEdit, query, go }: Pick<State, 'query' | 'go'> & { canEdit: boolean }) {
  const t = useTranslations('applications.list');
  if (query.search !== '' || query.status !== 'any') {
    const action = (
      <Button variant="default" onClick={() => go({ search: '', status: 'any' })}>
        {t('noMatch.showAll')}
      </Button>
    );
    return (
      <EmptyState title={t('noMatch.title')} action={action}>
        {t('noMatch.text')}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('empty.title')} action={canEdit && <NewApplicationLink />}>
      {t('empty.text')}
    </EmptyState>
  );
}

type Sort = ListQuery['sort'];
type OnSort = (sort: Sort, direction: ListQuery['direction']) => void;

type Props = { applications: ApplicationRow[]; query: ListQuery; busy: boolean; onSort: OnSort };

function ApplicationTable({ applications, query, busy, onSort }: Props) {
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
          <TextLink href={`/applications/${id}`} fw={600} lineClamp={2} title={name} dir="auto">
            {name}
          </TextLink>
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

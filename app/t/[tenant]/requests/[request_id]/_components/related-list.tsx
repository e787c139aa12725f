'use client';

import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { Time } from '../../../_components/time/time';
import { shortRoute } from '../../_components/format';
import { requestHref } from '../../_components/query';
import styles from '../../_components/requests.module.css';
import { StatusCode } from '../../_components/status-code';
import type { RequestDetail } from '../../_components/types';

const COLUMNS = ['time', 'relation', 'route', 'status', 'code'] as const;

/**
 * The other requests for the same write: the original request, its replays, and requests with the same idempotency key.
 */
export function RelatedList({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests');
  if (request.related.length === 0) return <NoRelated request={request} />;
  return (
    <DataTable caption={t('related.caption')} label={t('related.label')} minWidth={680}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={COLUMNS.map((name) => t(`table.${name}`))} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {request.related.map((one) => (
          <Table.Tr key={one.request_id}>
            <Table.Td data-label={t('table.time')} data-wide>
              <Anchor component={Link} href={requestHref(one.request_id)} size="sm">
                <Time value={one.at} />
                <VisuallyHidden>, {t(`related.relations.${one.relation}`)}</VisuallyHidden>
              </Anchor>
            </Table.Td>
            <Table.Td data-label={t('table.relation')}>{t(`related.relations.${one.relation}`)}</Table.Td>
            <Table.Td data-label={t('table.route')} data-wide className={styles.mono}>
              {one.method} {one.route && shortRoute(one.route)}
            </Table.Td>
            <Table.Td data-label={t('table.status')}>
              <StatusCode status={one.status} />
            </Table.Td>
            <Table.Td data-label={t('table.code')} className={styles.mono}>
              {one.reason ?? one.code ?? '–'}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function NoRelated({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests.related');
  const reason = request.replayed_from ? t('originalGone') : request.had_idempotency_key ? t('noOther') : t('noKey');
  return (
    <Text size="sm" c="dimmed">
      {reason}
    </Text>
  );
}

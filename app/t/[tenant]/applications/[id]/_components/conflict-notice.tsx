'use client';

import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { ApplicationChange } from '../../../_components/api-types';
import { Conflict } from '../../../_components/forms/conflict';
import { SHORT_TIME } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import type { Part } from '../../_components/policy/policy';

type Props = { applicationId: string; version: number; onRebase: () => void };

/**
 * Tells a user with unsaved changes that another user has saved a newer version. Lists the changes that were saved
 * after `version`, which is the version that the user started to edit. The unsaved input is kept.
 */
export function ConflictNotice({ applicationId, version, onRebase }: Props) {
  const t = useTranslations('applications.conflict');
  const trpc = useTRPC();
  const input = { application_id: applicationId, since_version: version };
  const changes = useQuery(trpc.applications.changes.queryOptions(input, { staleTime: 0 }));
  return (
    <Conflict action={t('load')} onAction={onRebase}>
      {changes.data && changes.data.length > 0 && (
        <List size="sm">
          {changes.data.map((change) => (
            <List.Item key={change.at}>
              <Change change={change} />
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm">{t('text')}</Text>
    </Conflict>
  );
}

function Change({ change: { by, at, fields } }: { change: ApplicationChange }) {
  const t = useTranslations('applications.conflict');
  const parts = useTranslations('applications.parts');
  const names = [...new Set(fields.map((field) => fieldName(parts, field)))];
  return t.rich('change', {
    by,
    fields: names.join(', ') || t('none'),
    b: (text) => <b>{text}</b>,
    time: () => <Time value={at} options={SHORT_TIME} />,
  });
}

/** The fields of a change in the audit log, with the part of the policy that each of them belongs to. */
const FIELDS: Record<string, Part | 'status'> = {
  name: 'name',
  scopes: 'scopes',
  locations: 'locations',
  all_locations: 'locations',
  location_ids: 'locations',
  origins: 'origins',
  networks: 'networks',
  quota: 'quota',
  agents: 'agents',
  agents_ask: 'agents',
  suspended: 'status',
};

function fieldName(t: Translator<'applications.parts'>, field: string): string {
  const part = FIELDS[field];
  return part ? t(part) : field;
}

'use client';

import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApplicationChange } from '../../../_components/api-types';
import { Conflict } from '../../../_components/forms/conflict';
import { SHORT_TIME } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { FIELD_NAMES } from './part-names';

type Props = { applicationId: string; version: number; onRebase: () => void };

/**
 * Tells a user with unsaved changes that another user has saved a newer version. Lists the changes that were saved
 * after `version`, which is the version that the user started to edit. The unsaved input is kept.
 */
export function ConflictNotice({ applicationId, version, onRebase }: Props) {
  const trpc = useTRPC();
  const input = { application_id: applicationId, since_version: version };
  const changes = useQuery(trpc.applications.changes.queryOptions(input, { staleTime: 0 }));
  return (
    <Conflict action="Load newer version" onAction={onRebase}>
      {changes.data && changes.data.length > 0 && (
        <List size="sm">
          {changes.data.map((change) => (
            <List.Item key={change.at}>
              <Change change={change} />
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm">
        Your changes are not saved yet. Load the newer version, then save again. The fields that you changed will keep
        your values.
      </Text>
    </Conflict>
  );
}

function Change({ change: { by, at, fields } }: { change: ApplicationChange }) {
  const names = [...new Set(fields.map((field) => FIELD_NAMES[field] ?? field))];
  return (
    <>
      <b>{by}</b>, <Time value={at} options={SHORT_TIME} />: {names.join(', ') || 'no changes'}
    </>
  );
}

'use client';

import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { ApplicationDetail } from '../../../_components/api-types';
import { Dialog } from '../../../_components/dialogs/dialog';
import { Problem } from '../../../_components/forms/form-end';
import { Table } from '../../../_components/tables/table';
import { useTRPC } from '../../../_components/trpc';
import styles from '../../_components/applications.module.css';
import { changedParts, difference, type Part, type Policy } from '../../_components/policy/policy';
import { scopeKey } from '../../_components/policy/scopes';
import { firstInvalid } from '../../_components/policy/use-policy-form';
import { LockOut, refusesAny } from './lock-out';

type Props = {
  application: ApplicationDetail;
  before: Policy;
  /** Null while the dialog is closed. */
  after: Policy | null;
  saving: boolean;
  problem: string | null;
  onClose: () => void;
  onSave: (policy: Policy) => void;
};

/** Shows the changes of a policy, and their effect on the requests from the last 24 hours, before they are saved. */
export function ReviewDialog({ after, onClose, ...props }: Props) {
  const t = useTranslations('applications.review');
  // Keeps the policy on the screen while the dialog fades out.
  const shown = useRef<Policy | null>(null);
  if (after) shown.current = after;
  return (
    <Dialog
      opened={after !== null}
      onClose={onClose}
      onExitTransitionEnd={() => firstInvalid()?.focus()}
      title={t('title')}
      size="xl"
    >
      {shown.current && <Review {...props} after={shown.current} onClose={onClose} />}
    </Dialog>
  );
}

function Review({ application, before, after, saving, problem, onClose, onSave }: Props & { after: Policy }) {
  const t = useTranslations('applications.review');
  const trpc = useTRPC();
  const preview = useMutation(trpc.applications.preview.mutationOptions());
  const { mutate } = preview;
  useEffect(() => mutate({ application_id: application.id, ...after }), [mutate, application.id, after]);
  const refuses = preview.data ? refusesAny(preview.data) : false;
  return (
    <Stack>
      <Changes before={before} after={after} />
      <LockOut preview={preview} retry={() => mutate({ application_id: application.id, ...after })} />
      <Problem error={problem} />
      <Group justify="flex-end" className={styles.answers}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('back')}
        </Button>
        <Button color={refuses ? 'red.9' : undefined} loading={saving} onClick={() => onSave(after)}>
          {refuses ? t('saveAnyway') : t('save')}
        </Button>
      </Group>
    </Stack>
  );
}

function Changes({ before, after }: { before: Policy; after: Policy }) {
  const t = useTranslations('applications.review');
  const names = useTranslations('applications.parts');
  const parts = changedParts(before, after);
  if (parts.length === 0) return <Text size="sm">{t('noChanges')}</Text>;
  return (
    <Table style={{ border: '1px solid var(--app-line)' }}>
      <caption hidden>{t('changes')}</caption>
      <Table.Tbody>
        {parts.map((part) => (
          <Table.Tr key={part}>
            <Box
              component={Table.Th}
              scope="row"
              role="rowheader"
              w={{ base: 110, sm: 180 }}
              style={{ verticalAlign: 'top' }}
            >
              {names(part)}
            </Box>
            <Table.Td>
              <Difference before={before} after={after} part={part} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Difference({ before, after, part }: { before: Policy; after: Policy; part: Part }) {
  const t = useTranslations('applications.review');
  const scopes = useTranslations('words.scopes');
  const trpc = useTRPC();
  const locations = useQuery({ ...trpc.locations.list.queryOptions(), enabled: part === 'locations' });
  const nameOf = (entry: string) => {
    if (part === 'scopes') return scopes(`${scopeKey(entry as Policy['scopes'][number])}.title`);
    if (part === 'agents') return t(entry === 'ask' ? 'ask' : 'alone');
    if (part !== 'locations') return entry;
    return entry === '*' ? t('allLocations') : (locations.data?.find(({ id }) => id === entry)?.name ?? entry);
  };
  const { removed, added } = difference(before, after, part);
  if (part === 'name' || part === 'quota' || part === 'agents') {
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.rich('fromTo', {
          removed: () => <span className={styles.removed}>{removed.map(nameOf)}</span>,
          added: () => <span className={styles.added}>{added.map(nameOf)}</span>,
        })}
      </Text>
    );
  }
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      {removed.map((entry) => (
        <Text key={entry} size="sm" className={styles.removed}>
          <b aria-hidden>−</b> {t('removed', { name: nameOf(entry) })}
        </Text>
      ))}
      {added.map((entry) => (
        <Text key={entry} size="sm" className={styles.added}>
          <b aria-hidden>+</b> {t('added', { name: nameOf(entry) })}
        </Text>
      ))}
      <Consequence after={after} part={part} />
    </Stack>
  );
}

/** An empty list of scopes or locations allows nothing. An empty list of networks or origins allows everything. */
function Consequence({ after, part }: { after: Policy; part: Part }) {
  const t = useTranslations('applications.review');
  const texts: Partial<Record<Part, string | false>> = {
    scopes: after.scopes.length === 0 && t('noScopes'),
    locations: !after.all_locations && after.location_ids.length === 0 && t('noLocations'),
    networks: after.networks.length === 0 && t('anyNetwork'),
    origins: after.origins.length === 0 && t('anyOrigin'),
  };
  const text = texts[part];
  return text ? <Hint>{text}</Hint> : null;
}

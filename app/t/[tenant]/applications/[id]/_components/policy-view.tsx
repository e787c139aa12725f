'use client';

import { Code, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApplicationDetail } from '../../../_components/api-types';
import { Section } from '../../../_components/forms/form-section';
import { useTRPC } from '../../../_components/trpc';
import styles from '../../_components/applications.module.css';
import { ScopeText } from '../../_components/scope-field';

/** A read-only view of a policy, with the same sections as the form that edits it. */
export function PolicyView({ application }: { application: ApplicationDetail }) {
  const t = useTranslations('applications.view');
  const { scopes, origins, networks, quota, agents_ask } = application;
  return (
    <Stack gap="md" maw={1160}>
      <Section title={t('permissions')}>
        {scopes.length === 0 && <Text size="sm">{t('noScopes')}</Text>}
        {scopes.map((scope) => (
          <ScopeText key={scope} scope={scope} />
        ))}
      </Section>
      <Section title={t('locations')}>
        <PolicyLocations application={application} />
      </Section>
      <Section title={t('network')}>
        <Entries title={t('networks')} entries={networks} whenEmpty={t('anyNetwork')} />
        <Entries title={t('origins')} entries={origins} whenEmpty={t('anyOrigin')} />
      </Section>
      <Section title={t('rate')}>
        <Text size="sm">{t('quota', { count: quota })}</Text>
      </Section>
      <Section title={t('agents')}>
        <Text size="sm">{agents_ask ? t('ask') : t('alone')}</Text>
      </Section>
    </Stack>
  );
}

function PolicyLocations({
  application: { all_locations: all, location_ids: ids },
}: {
  application: ApplicationDetail;
}) {
  const t = useTranslations('applications.view');
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.locations.list.queryOptions(), enabled: !all });
  if (all) return <Text size="sm">{t('allLocations')}</Text>;
  if (ids.length === 0) return <Text size="sm">{t('noLocations')}</Text>;
  if (!data) return <Skeleton height={24} />;
  return (
    <Stack gap={4} component="ul" m={0} pl="md">
      {ids.map((id) => {
        const found = data.find((location) => location.id === id);
        return <li key={id}>{found ? t('place', { name: found.name, city: found.city }) : <Code>{id}</Code>}</li>;
      })}
    </Stack>
  );
}

function Entries({ title, entries, whenEmpty }: { title: string; entries: string[]; whenEmpty: string }) {
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {whenEmpty}
        </Text>
      ) : (
        <ul className={styles.entries} aria-label={title}>
          {entries.map((entry) => (
            <li key={entry} className={styles.entry}>
              {entry}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

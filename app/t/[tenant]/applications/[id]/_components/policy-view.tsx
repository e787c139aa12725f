'use client';

import { Code, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApplicationDetail } from '../../../_components/api-types';
import { formatCount } from '../../../_components/format';
import { Section } from '../../../_components/forms/form-section';
import { useTRPC } from '../../../_components/trpc';
import styles from '../../_components/applications.module.css';
import { ScopeText } from '../../_components/scope-field';

/** A read-only view of a policy, with the same sections as the form that edits it. */
export function PolicyView({ application }: { application: ApplicationDetail }) {
  const { scopes, origins, networks, quota, agents_ask } = application;
  return (
    <Stack gap="md" maw={1160}>
      <Section title="Permissions">
        {scopes.length === 0 && <Text size="sm">None.</Text>}
        {scopes.map((scope) => (
          <ScopeText key={scope} scope={scope} />
        ))}
      </Section>
      <Section title="Locations">
        <PolicyLocations application={application} />
      </Section>
      <Section title="Network access">
        <Entries title="Networks" entries={networks} whenEmpty="Any address." />
        <Entries title="Origins" entries={origins} whenEmpty="Any origin, or no Origin header." />
      </Section>
      <Section title="Rate limit">
        <Text size="sm">{formatCount(quota)} requests per minute, shared by all keys.</Text>
      </Section>
      <Section title="Agents">
        <Text size="sm">
          {agents_ask
            ? 'Must ask a person before they book or change.'
            : 'May book and change without asking a person.'}
        </Text>
      </Section>
    </Stack>
  );
}

function PolicyLocations({
  application: { all_locations: all, location_ids: ids },
}: {
  application: ApplicationDetail;
}) {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.locations.list.queryOptions(), enabled: !all });
  if (all) return <Text size="sm">All current and future locations.</Text>;
  if (ids.length === 0) return <Text size="sm">None.</Text>;
  if (!data) return <Skeleton height={24} />;
  return (
    <Stack gap={4} component="ul" m={0} pl="md">
      {ids.map((id) => {
        const found = data.find((location) => location.id === id);
        return <li key={id}>{found ? `${found.name}, ${found.city}` : <Code>{id}</Code>}</li>;
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

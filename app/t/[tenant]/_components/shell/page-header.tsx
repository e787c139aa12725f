'use client';

import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { TextLink } from '@/app/_components/link';
import { useTenant, useTenantHref } from '@/app/_components/tenant';
import { tabStart } from '@/app/_components/tenant-path';
import { placeFocus } from '../dialogs/focus';
import { lastSearch } from '../search/last-search';

type Crumb = { href: string; label: string };

type Props = {
  title: ReactNode;
  lead?: ReactNode;
  trail?: readonly Crumb[];
  actions?: ReactNode;
  /** The name of a record, for the tab title. A page that sets `tab` must export `RECORD_METADATA` as its metadata. */
  tab?: string;
};

/**
 * A page's header: breadcrumb, title, and actions. A breadcrumb link to a list keeps the filters that the user
 * last chose for that list. After navigation, `placeFocus` moves the focus, by default to the title.
 */
export function PageHeader({ title, lead, trail = [], actions, tab }: Props) {
  const t = useTranslations('shell');
  const tenant = useTenant();
  const start = tenant ? tabStart(tenant.environment) : '';
  const hrefOf = useTenantHref();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => placeFocus(heading.current), []);
  return (
    <Stack gap="xs" mb="lg">
      {tab && <title>{start + [tab, ...trail.map(({ label }) => label).reverse(), tenant?.name].join(' · ')}</title>}
      {trail.length > 0 && (
        <nav aria-label={t('breadcrumb')}>
          <Breadcrumbs>
            {trail.map(({ href, label }) => (
              <TextLink key={href} href={`${href}${lastSearch(hrefOf(href))}`}>
                {label}
              </TextLink>
            ))}
          </Breadcrumbs>
        </nav>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} miw={0} flex="1 1 20rem">
          <Title ref={heading} order={1} size="h2" tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" component="div">
              {lead}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
    </Stack>
  );
}

'use client';

import { Group, Menu, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { tenantPath } from '@/app/_components/tenant-path';
import type { Who } from './who';

/**
 * The name of the business in the header. If the user has several businesses, the name is a menu that opens the other
 * businesses. Its links load a new document, so that no data of the previous business remains in the page.
 */
export function TenantMenu({ who }: { who: Who }) {
  const t = useTranslations('shell.tenants');
  const tCommon = useTranslations('common');
  const name = (
    <Text fw={650} truncate>
      {who.tenantName}
    </Text>
  );
  if (who.tenants.length < 2) return name;
  return (
    <Menu width={280} position="bottom-start" withInitialFocusPlaceholder={false} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton aria-label={t('label', { name: who.tenantName })} miw={0}>
          <Group gap={4} wrap="nowrap">
            {name}
            <IconSelector size={16} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('yours')}</Menu.Label>
        <ScrollArea.Autosize mah="min(24rem, 60vh)" type="auto">
          {who.tenants.map(({ id, name: other }) => (
            <Menu.Item
              key={id}
              component="a"
              href={tenantPath(id, '/')}
              aria-current={id === who.tenantId ? 'true' : undefined}
              rightSection={id === who.tenantId && <IconCheck size={16} aria-label={tCommon('current')} />}
              style={{ overflowWrap: 'anywhere' }}
            >
              {other}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

'use client';

import { Menu, ScrollArea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { tenantPath } from '@/app/_components/tenant-path';
import { TenantButton } from './tenant-button';
import { useLoadedMenu } from './use-loaded-menu';
import type { Who } from './who';

/**
 * The menu of the user's businesses. The links in the menu load a new document, so that no data of the previous
 * business remains in the page. See `useLoadedMenu`.
 */
export function TenantMenuList({ who }: { who: Who }) {
  const { button, menu } = useLoadedMenu();
  return (
    <Menu {...menu} position="bottom-start" width={280}>
      <Menu.Target>
        <TenantButton ref={button} name={who.tenantName} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your businesses</Menu.Label>
        <ScrollArea.Autosize mah="min(24rem, 60vh)" type="auto">
          {who.tenants.map(({ id, name }) => (
            <Menu.Item
              key={id}
              component="a"
              href={tenantPath(id, '/')}
              aria-current={id === who.tenantId ? 'true' : undefined}
              rightSection={id === who.tenantId && <IconCheck size={16} aria-label="Current" />}
              style={{ overflowWrap: 'anywhere' }}
            >
              {name}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

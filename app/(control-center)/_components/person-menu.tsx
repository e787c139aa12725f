'use client';

import { Group, Menu, Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconChevronDown, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import Link from 'next/link';
import { signOut } from 'next-auth/react';
import { leaveBy } from './leave-guard';
import { ROLE_NAMES } from './roles';
import type { Who } from './who';

/** The menu of the signed-in user: color scheme, account and sign-out. */
export function PersonMenu({ who }: { who: Who }) {
  const { setColorScheme } = useMantineColorScheme();
  // Whether the dark color scheme is in effect. Until the user chooses a color scheme, the color scheme of the
  // operating system is in effect.
  const dark = useComputedColorScheme('light') === 'dark';
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton aria-label={`Signed in as ${who.name}`}>
          <Group gap={6} wrap="nowrap">
            <IconUserCircle size={20} stroke={1.6} aria-hidden />
            <Text size="sm" visibleFrom="xs" maw={220} truncate>
              {who.name}
            </Text>
            <IconChevronDown size={14} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>
          {who.email}
          <br />
          {ROLE_NAMES[who.role]} of {who.tenantName}
        </Menu.Label>
        <Menu.Item
          leftSection={dark ? <IconSun size={16} aria-hidden /> : <IconMoon size={16} aria-hidden />}
          onClick={() => setColorScheme(dark ? 'light' : 'dark')}
        >
          {dark ? 'Light' : 'Dark'} mode
        </Menu.Item>
        <Menu.Item component={Link} href="/account" leftSection={<IconUserCircle size={16} aria-hidden />}>
          Your account
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => leaveBy(() => void signOut({ callbackUrl: '/sign-in' }))}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

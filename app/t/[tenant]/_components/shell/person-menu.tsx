'use client';

import { Group, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link } from '@/app/_components/link';
import { ROLE_NAMES } from '../roles';
import { leaveBy } from './leave-guard';
import { signOutHere } from './sign-out';
import type { Who } from './who';

/** The color schemes. `auto` follows the operating system, and applies until the user chooses another scheme. */
const SCHEMES = [
  { scheme: 'light', label: 'Light mode', icon: IconSun },
  { scheme: 'dark', label: 'Dark mode', icon: IconMoon },
  { scheme: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

/** The signed-in user's menu: color scheme, account, and sign-out. */
export function PersonMenu({ who }: { who: Who }) {
  return (
    <Menu width={240} position="bottom-end" withInitialFocusPlaceholder={false} withinPortal={false}>
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
          {who.tenantName} · {ROLE_NAMES[who.role]}
        </Menu.Label>
        <Schemes />
        <Menu.Divider />
        <Menu.Item component={Link} href="/account" leftSection={<IconUserCircle size={16} aria-hidden />}>
          Your account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leaveBy(() => void signOutHere())}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Schemes() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return SCHEMES.map(({ scheme, label, icon: Icon }) => (
    <Menu.Item
      key={scheme}
      leftSection={<Icon size={16} aria-hidden />}
      rightSection={colorScheme === scheme && <IconCheck size={16} aria-label="Current" />}
      onClick={() => setColorScheme(scheme)}
    >
      {label}
    </Menu.Item>
  ));
}

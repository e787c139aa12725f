'use client';

import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@/app/_components/link';
import { leaveBy } from './leave-guard';
import { PersonButton } from './person-button';
import { ROLE_NAMES } from './roles';
import { signOutHere } from './sign-out';
import { useLoadedMenu } from './use-loaded-menu';
import type { Who } from './who';

/** The color schemes. `auto` follows the operating system, and applies until the user chooses another scheme. */
const SCHEMES = [
  { scheme: 'light', label: 'Light mode', icon: IconSun },
  { scheme: 'dark', label: 'Dark mode', icon: IconMoon },
  { scheme: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

/**
 * The signed-in user's menu: color scheme, account, and sign-out. Its script is loaded on demand (see `useLoadedMenu`).
 */
export function PersonMenuList({ who }: { who: Who }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { button, menu } = useLoadedMenu();
  return (
    <Menu {...menu} width={240}>
      <Menu.Target>
        <PersonButton ref={button} name={who.name} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>
          {who.email}
          <br />
          {who.tenantName} · {ROLE_NAMES[who.role]}
        </Menu.Label>
        {SCHEMES.map(({ scheme, label, icon: Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={colorScheme === scheme && <IconCheck size={16} aria-label="Current" />}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
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

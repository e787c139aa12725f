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
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { leaveBy } from './leave-guard';
import { signOutHere } from './sign-out';
import type { Who } from './who';

/** The color schemes. `auto` follows the operating system, and applies until the user chooses another scheme. */
const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const;

/** The signed-in user's menu: color scheme, account, and sign-out. */
export function PersonMenu({ who }: { who: Who }) {
  const t = useTranslations('shell.person');
  const roleName = useTranslations('words.roles');
  return (
    <Menu width={240} position="bottom-end" withInitialFocusPlaceholder={false} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton aria-label={t('signedIn', { name: who.name })}>
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
          {who.tenantName} · {roleName(who.role)}
        </Menu.Label>
        <Schemes />
        <Menu.Divider />
        <Menu.Item component={Link} href="/account" leftSection={<IconUserCircle size={16} aria-hidden />}>
          {t('account')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leaveBy(() => void signOutHere())}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Schemes() {
  const t = useTranslations('shell.person');
  const tCommon = useTranslations('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return SCHEMES.map(({ scheme, icon: Icon }) => (
    <Menu.Item
      key={scheme}
      leftSection={<Icon size={16} aria-hidden />}
      rightSection={colorScheme === scheme && <IconCheck size={16} aria-label={tCommon('current')} />}
      onClick={() => setColorScheme(scheme)}
    >
      {t(scheme)}
    </Menu.Item>
  ));
}

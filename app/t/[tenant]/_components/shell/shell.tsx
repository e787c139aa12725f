'use client';

import {
  Alert,
  Anchor,
  Burger,
  Group,
  Menu,
  ScrollArea,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import {
  IconBan,
  IconCheck,
  IconChevronDown,
  IconDeviceDesktop,
  IconExternalLink,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUserCircle,
  IconWifiOff,
} from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import { type CSSProperties, type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { EnvironmentBadge } from '@/app/_components/environment-badge';
import { Link } from '@/app/_components/link';
import { useTenantHref } from '@/app/_components/tenant';
import { tenantPath } from '@/app/_components/tenant-path';
import { useHydrated } from '@/app/_components/use-hydrated';
import type { DisabledEndpoints } from '../api-types';
import { regainFocus } from '../dialogs/focus';
import { LeaveDialog } from '../dialogs/leave-dialog';
import { useLastSearch } from '../search/last-search';
import { PaletteHost } from '../search/palette/palette-host';
import { HEADER_HEIGHT } from './header-height';
import { leaveBy } from './leave-guard';
import { SECTIONS } from './sections';
import styles from './shell.module.css';
import { useSignOut } from './sign-out';
import { WebhookBanner } from './webhook-banner';
import type { Who } from './who';

type ShellProps = {
  who: Who;
  /** The disabled webhook endpoints. Null if the member's role does not allow viewing endpoints. */
  disabled: DisabledEndpoints | null;
  children: ReactNode;
};

/** The frame of every page: environment, navigation, and user menu. */
export function Shell({ who, disabled, children }: ShellProps) {
  const t = useTranslations('shell');
  const { opened, burger, main, toggle, onEscape, onNavigate } = useNavigation();
  useFocusAfterNavigation(usePathname());
  useLastSearch();
  const isHydrated = useHydrated();
  return (
    <div style={{ '--header-height': `${HEADER_HEIGHT}px` } as CSSProperties}>
      <a href="#content" className="skip-link">
        {t('skip')}
      </a>
      {/* While a dialog hides the scroll bar of the page, the global class keeps the header as wide as the page. */}
      <header className={`${styles.header} right-scroll-bar-position`}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <NavigationButton ref={burger} opened={opened} onClick={toggle} onKeyDown={onEscape} />
            <EnvironmentBadge environment={who.environment} />
            <TenantMenu who={who} />
          </Group>
          <Group gap="md" wrap="nowrap">
            <PaletteHost who={who} />
            <PersonMenu who={who} />
          </Group>
        </Group>
      </header>
      <nav
        id="sections"
        aria-label={t('sectionsLabel')}
        className={opened ? styles.navigation : `${styles.navigation} ${styles.closed} ${styles.away}`}
        onKeyDown={onEscape}
      >
        <Navigation viewer={who.viewer} onNavigate={onNavigate} />
        {who.otherUrl && <OtherEnvironment who={who} url={who.otherUrl} />}
      </nav>
      {/* The page is inert until hydration. Before that, a click or key press would have no effect or the wrong
          one. */}
      <main
        ref={main}
        id="content"
        tabIndex={-1}
        inert={!isHydrated}
        className={opened ? `${styles.page} ${styles.away}` : styles.page}
      >
        <OfflineBanner />
        {who.suspended && <SuspendedBanner />}
        {disabled && <WebhookBanner initial={disabled} />}
        {children}
      </main>
      <LeaveDialog />
    </div>
  );
}

function SuspendedBanner() {
  const t = useTranslations('shell.suspended');
  return (
    <Alert variant="filled" color="red.9" mb="lg" icon={<IconBan aria-hidden />} title={t('title')}>
      {t('text')}
    </Alert>
  );
}

type NavigationButtonProps = {
  ref: Ref<HTMLButtonElement>;
  opened: boolean;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function NavigationButton(props: NavigationButtonProps) {
  const t = useTranslations('shell');
  return (
    <Burger
      {...props}
      hiddenFrom="sm"
      size="sm"
      aria-label={t('navigation')}
      aria-expanded={props.opened}
      aria-controls="sections"
    />
  );
}

function useNavigation() {
  const [opened, { toggle, close }] = useDisclosure();
  const burger = useRef<HTMLButtonElement>(null);
  const main = useRef<HTMLElement>(null);
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    close();
    burger.current?.focus();
  };
  const onNavigate = () => {
    if (!opened) return;
    // Closing the menu hides the focused link, so the focus moves to the page. `flushSync` makes the page visible
    // before it receives the focus.
    flushSync(close);
    main.current?.focus({ preventScroll: true });
  };
  return { opened, burger, main, toggle, onEscape, onNavigate };
}

/** `placeFocus` does this when a title is mounted, but the tabs of an application share a title that stays mounted. */
function useFocusAfterNavigation(path: string): void {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    const frame = requestAnimationFrame(() => regainFocus());
    return () => cancelAnimationFrame(frame);
  }, [path]);
}

function Navigation({ viewer, onNavigate }: { viewer: Who['viewer']; onNavigate: () => void }) {
  const t = useTranslations('shell.sections');
  const path = usePathname();
  const hrefOf = useTenantHref();
  const isActive = (href: string) => (href === '/' ? path === hrefOf(href) : path.startsWith(hrefOf(href)));
  return (
    <Stack gap={2} flex={1}>
      {SECTIONS.filter(({ roles }) => roles.includes(viewer)).map(({ href, name, icon: Icon }) => (
        <Link
          key={href}
          href={href}
          onClick={onNavigate}
          aria-current={isActive(href) ? 'page' : undefined}
          className={`${styles.section} mantine-focus-auto`}
        >
          <Icon size={18} stroke={1.6} aria-hidden />
          <span className={styles.label}>{t(name)}</span>
        </Link>
      ))}
    </Stack>
  );
}

function OtherEnvironment({ who, url }: { who: Who; url: string }) {
  const t = useTranslations('shell');
  return (
    <Anchor href={url} size="sm" p="xs">
      <Group gap={6}>
        {t('openEnvironment', { environment: who.environment === 'TEST' ? 'LIVE' : 'TEST' })}
        <IconExternalLink size={14} aria-hidden />
      </Group>
    </Anchor>
  );
}

function OfflineBanner() {
  const t = useTranslations('shell.offline');
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert variant="filled" color="dark" mb="lg" icon={<IconWifiOff aria-hidden />} title={t('title')}>
          {t('text')}
        </Alert>
      )}
    </div>
  );
}

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const;

function PersonMenu({ who }: { who: Who }) {
  const t = useTranslations('shell.person');
  const signOut = useSignOut();
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
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leaveBy(signOut)}>
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

function TenantMenu({ who }: { who: Who }) {
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

'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { Link } from '@/app/_components/link';
import { useTenantHref } from '@/app/_components/tenant';
import styles from './tabs.module.css';

type Props = { label: string; tabs: readonly { href: string; label: string }[] };

/** Links to the pages of a section. On a narrow screen, the links scroll so that the current page's link is visible. */
export function Tabs({ label, tabs }: Props) {
  const path = usePathname();
  const hrefOf = useTenantHref();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run when the page or the tabs change.
  useEffect(() => {
    const [box, current] = [nav.current, nav.current?.querySelector<HTMLElement>('[aria-current]')];
    // `scrollIntoView` would also scroll the page.
    if (box && current) box.scrollLeft = current.offsetLeft - (box.clientWidth - current.offsetWidth) / 2;
  }, [path, tabs.length]);
  return (
    <nav ref={nav} className={styles.tabs} aria-label={label}>
      {tabs.map(({ href, label: name }) => (
        <Link key={href} href={href} className={styles.tab} aria-current={path === hrefOf(href) ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

'use client';

import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { formatCount } from '../../_components/format';
import styles from './applications.module.css';

/** A count that links to the counted requests. A count of zero has no link. */
export function Count({ value, href, of, bad = false }: { value: number; href: string; of: string; bad?: boolean }) {
  if (value === 0) return <None>0</None>;
  return (
    <Anchor component={Link} href={href} inherit className={bad ? styles.removed : undefined}>
      {formatCount(value)}
      <VisuallyHidden> {of} in the last 24 hours</VisuallyHidden>
    </Anchor>
  );
}

/** Dimmed text for an empty value. */
export function None({ children }: { children: string }) {
  return (
    <Text c="dimmed" component="span" inherit>
      {children}
    </Text>
  );
}

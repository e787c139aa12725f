'use client';

import { Text, VisuallyHidden } from '@mantine/core';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import styles from './applications.module.css';

type Props = {
  value: number;
  href: string;
  /** What is counted, and in which time. Follows the number for screen readers. */
  of: string;
  bad?: boolean;
};

/** A count that links to the counted requests. A count of zero has no link. */
export function Count({ value, href, of, bad = false }: Props) {
  const format = useFormats();
  if (value === 0) return <None>0</None>;
  return (
    <TextLink href={href} inherit className={bad ? styles.removed : undefined}>
      {format.count(value)}
      <VisuallyHidden> {of}</VisuallyHidden>
    </TextLink>
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

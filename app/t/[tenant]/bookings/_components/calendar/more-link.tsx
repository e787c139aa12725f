'use client';

import { Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import styles from './block.module.css';
import { useCalendar } from './calendar-context';
import type { Column } from './columns';
import { moreItem } from './items';
import type { More } from './lanes';
import { MIN_HEIGHT, topOf } from './place';

/** The link that replaces bookings that do not fit side by side. It leads to the schedule of their day. */
export function MoreLink({ more, column }: { more: More; column: Column }) {
  const t = useTranslations('bookings.schedule');
  const { start_minute, end_minute, count, isOutside } = more;
  const { axis, moreHref, stop } = useCalendar();
  const item = moreItem(column.key, start_minute);
  const top = topOf(start_minute, axis);
  const text = { count, attention: isOutside ? 'yes' : 'no' };
  const height = Math.max(MIN_HEIGHT, topOf(end_minute, axis) - top) - 2;
  return (
    <li className={styles.more} style={{ top: top + 1, height }}>
      <Anchor
        component={Link}
        href={moreHref(column)}
        className={styles.moreLink}
        fz={12}
        title={t('moreTitle', text)}
        aria-label={t('more', text)}
        data-outside={isOutside}
        data-item={item}
        tabIndex={item === stop ? 0 : -1}
      >
        +{count}
        {isOutside && <IconAlertTriangle size={13} aria-hidden />}
      </Anchor>
    </li>
  );
}

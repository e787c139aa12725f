'use client';

import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { spanText } from '../../_components/time/span';

/** Shows the remaining lifetime of a key or secret, to the second. Calls `onEnd` when the lifetime ends. */
export function Countdown({ endsAt, onEnd }: { endsAt: number; onEnd: () => void }) {
  const t = useTranslations('applications.countdown');
  const tTime = useTranslations('common.time');
  const [now, setNow] = useState(Date.now);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  const over = now >= endsAt;
  useEffect(() => {
    if (over) {
      ended.current();
      return;
    }
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [over]);
  return (
    <Text size="xs" c="dimmed" component="span" display="block" style={{ whiteSpace: 'nowrap' }}>
      {over ? t('now') : t('in', { span: spanText(tTime, endsAt - now) })}
    </Text>
  );
}

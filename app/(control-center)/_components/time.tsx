'use client';

import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { LOCALE, WHOLE_TIME } from './moments';

/**
 * A timestamp in the reader's time zone, with UTC in its `title`. The browser shows a `title` only after the pointer
 * has moved. A `Tooltip` would also open above a dialog that appears under the pointer.
 */
export function Time({ value, options = WHOLE_TIME }: { value: string; options?: Intl.DateTimeFormatOptions }) {
  const utc = `${value.replace('T', ' ').replace(/\.\d+Z$|Z$/, '')} UTC`;
  // The server does not know the reader's time zone, so it renders the timestamp in UTC. In the browser, the text is
  // then replaced by the local time.
  const [text, setText] = useState(utc);
  useEffect(() => setText(new Intl.DateTimeFormat(LOCALE, options).format(new Date(value))), [value, options]);
  return (
    <Text component="time" inherit dateTime={value} title={utc} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </Text>
  );
}

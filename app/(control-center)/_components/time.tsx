'use client';

import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { WHOLE_TIME } from './moments';

/** A moment in the reader's zone, with UTC on hover and for screen readers. */
export function Time({ value, options = WHOLE_TIME }: { value: string; options?: Intl.DateTimeFormatOptions }) {
  const utc = `${value.replace('T', ' ').replace(/\.\d+Z$|Z$/, '')} UTC`;
  // The server does not know the reader's zone: it renders UTC, and the browser then its own.
  const [text, setText] = useState(utc);
  useEffect(() => setText(new Intl.DateTimeFormat(undefined, options).format(new Date(value))), [value, options]);
  return (
    <Tooltip label={utc}>
      <Text component="time" inherit dateTime={value} title={utc} style={{ whiteSpace: 'nowrap' }}>
        {text}
      </Text>
    </Tooltip>
  );
}

'use client';

import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { WHOLE_TIME } from './moments';

/** A timestamp in the reader's time zone, with UTC in the tooltip. */
export function Time({ value, options = WHOLE_TIME }: { value: string; options?: Intl.DateTimeFormatOptions }) {
  const utc = `${value.replace('T', ' ').replace(/\.\d+Z$|Z$/, '')} UTC`;
  // The server does not know the reader's time zone, so it renders the timestamp in UTC. In the browser, the text is
  // then replaced by the local time.
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

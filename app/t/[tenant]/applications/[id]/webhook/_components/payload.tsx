'use client';

import { Code, Group, Stack, Title } from '@mantine/core';
import { CopyValue } from '../../../../_components/id';

/**
 * Shows the payload in a formatted form. The copy button copies the payload without formatting, exactly as it is signed
 * and sent.
 */
export function Payload({ text }: { text: string }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3} size="h5">
          Payload
        </Title>
        <CopyValue value={text} label="Copy payload" />
      </Group>
      <Code block tabIndex={0} aria-label="Payload" style={{ overflowX: 'auto' }}>
        {pretty(text)}
      </Code>
    </Stack>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

'use client';

import { ActionIcon, Code, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

type CopyProps = { value: string; label: string };

/** A button that copies `value` to the clipboard, and then shows that the value was copied. */
export function CopyValue({ value, label }: CopyProps) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          onClick={copy}
          title={label}
          aria-label={copied ? 'Copied' : label}
        >
          {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

/** An id with a copy button. */
export function Id({ value, what = 'id' }: { value: string; what?: string }) {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
      <CopyValue value={value} label={`Copy ${what}`} />
    </Group>
  );
}

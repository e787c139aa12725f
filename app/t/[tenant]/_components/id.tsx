'use client';

import { ActionIcon, Code, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

type CopyProps = { value: string; label: string };

/** A button that copies `value` to the clipboard, and then shows that the value was copied. */
export function CopyValue({ value, label }: CopyProps) {
  const t = useTranslations('common.copy');
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          onClick={copy}
          title={label}
          aria-label={copied ? t('copied') : label}
        >
          {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

/** An id with a copy button. `what` is the kind of id, in the reader's language. */
export function Id({ value, what }: { value: string; what?: string }) {
  const t = useTranslations('common.copy');
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
      <CopyValue value={value} label={t('what', { what: what ?? t('id') })} />
    </Group>
  );
}

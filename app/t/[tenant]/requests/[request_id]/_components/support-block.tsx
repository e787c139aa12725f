'use client';

import { Box, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import styles from '../../_components/requests.module.css';

/** Text to send to support, and a curl command. Neither contains secrets or contact details. */
export function SupportBlock({ text, curl }: { text: string; curl: string | null }) {
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        Send this text to support. It contains no secrets or contact details.
      </Text>
      <Box component="pre" className={styles.support} w="100%">
        {text}
      </Box>
      <Group gap="xs">
        <Copy text={text} label="Copy for support" />
        {curl !== null && <Copy text={curl} label="Copy as cURL" />}
      </Group>
    </Stack>
  );
}

function Copy({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}

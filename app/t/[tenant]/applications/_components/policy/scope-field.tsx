'use client';

import { Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { PartnerScope } from '@/lib/contract/common';
import { ALL_SCOPES, SCOPE_ROUTES, scopeKey } from './scopes';

type Props = { value: PartnerScope[]; onChange: (scopes: PartnerScope[]) => void };

/** The checkboxes for the scopes, each with a description and the routes that the scope allows. */
export function ScopeField({ value, onChange }: Props) {
  const t = useTranslations('applications.form');
  return (
    <Checkbox.Group
      label={t('scopes')}
      value={value}
      onChange={(chosen) => onChange(ALL_SCOPES.filter((scope) => chosen.includes(scope)))}
    >
      <Stack gap="sm" mt="sm">
        {ALL_SCOPES.map((scope) => (
          <Checkbox key={scope} value={scope} label={<ScopeText scope={scope} />} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** A scope's title, name, description, and routes. */
export function ScopeText({ scope }: { scope: PartnerScope }) {
  const words = useTranslations('words.scopes');
  const key = scopeKey(scope);
  return (
    <Stack gap={2}>
      <Group gap={8}>
        <Text size="sm" fw={600} component="span">
          {words(`${key}.title`)}
        </Text>
        <Code>{scope}</Code>
      </Group>
      <Text size="sm" c="dimmed" component="span">
        {words(`${key}.allows`)}
      </Text>
      {SCOPE_ROUTES[scope].map((route) => (
        <Text key={route} size="xs" c="dimmed" ff="monospace" component="span" style={{ overflowWrap: 'anywhere' }}>
          {route}
        </Text>
      ))}
    </Stack>
  );
}

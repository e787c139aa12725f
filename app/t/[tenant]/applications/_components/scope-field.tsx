'use client';

import { Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import type { PartnerScope } from '@/lib/contract/common';
import { ALL_SCOPES, SCOPE_TEXTS } from './scopes';

type Props = { value: PartnerScope[]; onChange: (scopes: PartnerScope[]) => void };

/** The checkboxes for the scopes, each with a description and the routes that the scope allows. */
export function ScopeField({ value, onChange }: Props) {
  return (
    <Checkbox.Group
      label="Scopes"
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
  const { title, allows, routes } = SCOPE_TEXTS[scope];
  return (
    <Stack gap={2}>
      <Group gap={8}>
        <Text size="sm" fw={600} component="span">
          {title}
        </Text>
        <Code>{scope}</Code>
      </Group>
      <Text size="sm" c="dimmed" component="span">
        {allows}
      </Text>
      {routes.map((route) => (
        <Text key={route} size="xs" c="dimmed" ff="monospace" component="span" style={{ overflowWrap: 'anywhere' }}>
          {route}
        </Text>
      ))}
    </Stack>
  );
}

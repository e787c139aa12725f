'use client';

import { Alert, Button, Checkbox, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconEyeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTRPC } from '../../../../_components/trpc';
import styles from '../../../_components/applications.module.css';
import type { ApplicationDetail, IssuedKey } from '../../../_components/types';
import { useLeaveWarning } from '../../../_components/use-leave-warning';

type Props = { issued: IssuedKey; applicationId: string; onClose: () => void };

/** A new key, the only time it is shown, with what a developer pastes first. */
export function OneTimeKey({ issued, applicationId, onClose }: Props) {
  const trpc = useTRPC();
  const { data: application } = useQuery(trpc.applications.get.queryOptions({ application_id: applicationId }));
  const [stored, setStored] = useState(false);
  const [asked, setAsked] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useLeaveWarning(true);
  const finish = () => {
    if (stored) return onClose();
    setAsked(true);
    box.current?.focus();
  };
  return (
    <Stack>
      <Alert color="yellow" icon={<IconEyeOff aria-hidden />}>
        This is the only time this key is shown. Put it into your partner’s secret store, never into browser code.
      </Alert>
      <Secret label={`Key “${issued.name}”`} text={issued.key} copy="Copy the key" first />
      <Secret label="Line for an .env file" text={`PARTNER_API_KEY=${issued.key}`} copy="Copy the .env line" />
      <Secret label="First request" text={curlOf(issued.key, application)} copy="Copy the curl command">
        {curlNote(application)}
      </Secret>
      <Checkbox
        ref={box}
        label="I have stored this key"
        checked={stored}
        error={asked && !stored ? 'Tick this once the key is stored: it cannot be shown again.' : undefined}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={finish}>Done</Button>
      </Group>
    </Stack>
  );
}

function curlOf(key: string, application: ApplicationDetail | undefined): string {
  const lines = [`curl ${window.location.origin}/api/partner/v1/catalog`, `-H 'Authorization: Bearer ${key}'`];
  const origin = application?.origins[0];
  if (origin) lines.push(`-H 'Origin: ${origin}'`);
  return lines.join(' \\\n  ');
}

function curlNote(application: ApplicationDetail | undefined): string | null {
  if (!application) return null;
  if (application.suspended_at) return 'The application is suspended: until you resume it, this is refused (403).';
  if (!application.scopes.includes('catalog.read')) {
    return 'This application may not read the catalogue: 403 insufficient_scope shows that the key is known.';
  }
  return application.networks.length > 0 ? 'It is let in from the allowed networks only.' : null;
}

type SecretProps = { label: string; text: string; copy: string; first?: boolean; children?: string | null };

function Secret({ label, text, copy, first = false, children }: SecretProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The form that was here before had the focus, and is gone.
  useEffect(() => {
    if (first) button.current?.focus();
  }, [first]);
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={text} timeout={1500}>
          {({ copied, copy: put }) => (
            <Button
              ref={button}
              variant={first ? 'filled' : 'default'}
              size="compact-sm"
              leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              onClick={put}
              aria-label={copied ? 'Copied' : copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <code className={styles.secret}>{text}</code>
      {children && (
        <Text size="xs" c="dimmed">
          {children}
        </Text>
      )}
    </Stack>
  );
}

'use client';

import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { useFormats } from '@/app/_components/language';
import { useTenant } from '@/app/_components/tenant';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { LIMIT_NOTE, MAX_EXPORTED } from '@/lib/control-center/exports/limit';
import { useTRPC } from '../trpc';
import { saveFile } from './save-file';

type Props = {
  /** The list to export. The file name and the last part of the request path start with this word. */
  list: 'requests' | 'audit' | 'bookings' | 'statistics';
  /** The filters, in the format that the export route expects. */
  input: object;
};

type Texts = Translator<'common.export'>;

type State = { kind: 'ready' | 'busy' | 'limited' } | { kind: 'done' | 'failed'; text: string };

/** Loads the CSV file. Returns null if the user cancels. */
async function load({ list, input }: Props, tenantId: string, signal: AbortSignal, t: Texts): Promise<State | null> {
  try {
    const response = await fetch(`/api/control-center/${list}-export`, {
      method: 'POST',
      headers: {
        'x-partner-booking': 'control-center',
        'content-type': 'application/json',
        [TENANT_HEADER]: tenantId,
      },
      body: JSON.stringify(input),
      signal,
    });
    if (!response.ok) return { kind: 'failed', text: (await errorOf(response)) ?? t('failed') };
    const file = await response.blob();
    saveFile(file, nameOf(response, list));
    // If the file was cut off at the row limit, its last line says so.
    const limited = (await file.slice(-400).text()).includes(LIMIT_NOTE);
    return limited ? { kind: 'limited' } : { kind: 'done', text: t('done') };
  } catch {
    return signal.aborted ? null : { kind: 'failed', text: t('failed') };
  }
}

function nameOf(response: Response, list: string): string {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `${list}.csv`;
}

async function errorOf(response: Response): Promise<string | undefined> {
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  return body?.error?.message;
}

function useExport(props: Props) {
  const t = useTranslations('common.export');
  const tenant = useTenant();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [state, setState] = useState<State>({ kind: 'ready' });
  const running = useRef<AbortController | null>(null);
  // When the user leaves the page, aborts the request so that the server stops the export.
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'busy' });
    // If the server needs a proof of who the user is, this call opens the dialog for it, and waits.
    const options = { ...trpc.session.require_confirmed.queryOptions(), staleTime: 0, gcTime: 0 };
    const refused = await queries.fetchQuery(options).then(
      () => null,
      (error: Error) => error.message,
    );
    if (refused !== null) return setState({ kind: 'failed', text: refused });
    setState((await load(props, tenant?.id ?? '', controller.signal, t)) ?? { kind: 'ready' });
  };
  return { state, start, cancel: () => running.current?.abort() };
}

/** A button that exports the filtered rows of a list as a CSV file. A click during the export cancels the export. */
export function ExportButton(props: Props) {
  const t = useTranslations('common.export');
  const format = useFormats();
  const { state, start, cancel } = useExport(props);
  const busy = state.kind === 'busy';
  return (
    <Group gap={state.kind === 'ready' ? 0 : 'xs'}>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={busy ? cancel : () => void start()}
      >
        {busy ? t('cancel') : t('start')}
      </Button>
      <Text size="sm" c={state.kind === 'failed' ? 'red' : 'dimmed'} role="status">
        {busy && t('busy')}
        {state.kind === 'limited' && t('limited', { count: format.count(MAX_EXPORTED) })}
        {(state.kind === 'done' || state.kind === 'failed') && state.text}
      </Text>
    </Group>
  );
}

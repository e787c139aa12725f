'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Section } from '../../../_components/forms/form-section';
import { saveFile } from '../../../_components/tables/save-file';
import { useTRPC } from '../../../_components/trpc';
import { CatalogFrame } from '../../_components/catalog-frame';
import { ImportForm } from './import-form';

/** Exports and imports the whole catalog as one JSON document. */
export function TransferView({ canEdit }: { canEdit: boolean }) {
  const t = useTranslations('catalog');
  return (
    <CatalogFrame title={t('pages.transfer')} lead={t('transfer.lead')}>
      <Section title={t('transfer.export')} lead={t('transfer.exportLead')}>
        <ExportButton />
      </Section>
      <Section title={t('transfer.import')} lead={t('transfer.importLead')}>
        {canEdit ? <ImportForm /> : <Text size="sm">{t('transfer.ownersOnly')}</Text>}
      </Section>
    </CatalogFrame>
  );
}

function ExportButton() {
  const t = useTranslations('catalog.transfer');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready');
  const save = async () => {
    setState('busy');
    try {
      const document = await queries.fetchQuery(trpc.catalog.transfer.export.queryOptions(undefined, { staleTime: 0 }));
      saveFile(new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' }), 'catalog.json');
      setState('ready');
    } catch {
      setState('failed');
    }
  };
  return (
    <Stack gap="sm" align="flex-start">
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={state === 'busy'}
        onClick={save}
      >
        {t('exportCatalog')}
      </Button>
      {state === 'failed' && (
        <Alert color="red" role="alert">
          {t('exportFailed')}
        </Alert>
      )}
    </Stack>
  );
}

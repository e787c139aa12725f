'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../../../_components/forms/form-section';
import { saveFile } from '../../../_components/tables/save-file';
import { useTRPC } from '../../../_components/trpc';
import { CatalogFrame } from '../../_components/catalog-frame';
import { ImportForm } from './import-form';

/** Exports and imports the whole catalog as one JSON document. */
export function TransferView({ canEdit }: { canEdit: boolean }) {
  return (
    <CatalogFrame title="Import and export" lead="The whole catalog as one JSON document.">
      <Section
        title="Export"
        lead="Services, locations, specialists, hours, and offerings, with their IDs. No bookings or contact details."
      >
        <ExportButton />
      </Section>
      <Section
        title="Import"
        lead="Replaces the whole catalog. Existing records that are not in the document are unpublished, not deleted. Bookings are kept."
      >
        {canEdit ? <ImportForm /> : <Text size="sm">Only owners can import a catalog.</Text>}
      </Section>
    </CatalogFrame>
  );
}

function ExportButton() {
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
        Export catalog
      </Button>
      {state === 'failed' && (
        <Alert color="red" role="alert">
          The catalog could not be exported. Try again.
        </Alert>
      )}
    </Stack>
  );
}

import type { Metadata } from 'next';

/**
 * The metadata of a record's page. It has no title, because the `PageHeader` sets the name of the record as the title of
 * the tab, which also changes when the record is renamed.
 */
export const RECORD_METADATA: Metadata = { title: { absolute: '' } };

import type { Metadata } from 'next';

/**
 * The metadata for the page of one record. It has no title. Instead, `PageHeader` sets the tab title to the record's
 * name, and updates it when the record is renamed.
 */
export const RECORD_METADATA: Metadata = { title: { absolute: '' } };

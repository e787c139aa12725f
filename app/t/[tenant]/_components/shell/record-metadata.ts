import type { Metadata } from 'next';

/**
 * The metadata for a record's page, without a title. Instead, `PageHeader` sets the tab title to the record's name, and
 * updates it when the record is renamed.
 */
export const RECORD_METADATA: Metadata = { title: { absolute: '' } };

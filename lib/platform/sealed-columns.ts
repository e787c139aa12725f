/** The columns with sealed values, and the primary keys. `npm run rotate-secret` encrypts exactly these again. */
export const SEALED_TABLES = [
  {
    table: 'bookings',
    key: ['reference'],
    columns: ['customer_name', 'customer_phone', 'customer_email', 'note', 'metadata'],
  },
  { table: 'calendars', key: ['id'], columns: ['url'] },
  { table: 'environment', key: ['singleton'], columns: ['hash_keys'] },
  { table: 'idempotency_keys', key: ['application_id', 'key_hash'], columns: ['response'] },
  { table: 'mails', key: ['id'], columns: ['sealed'] },
  { table: 'totp_factors', key: ['user_id'], columns: ['secret'] },
  { table: 'webhook_secrets', key: ['application_id', 'number'], columns: ['sealed'] },
] as const;

type ColumnOf<Table> = Table extends {
  table: infer Name extends string;
  columns: readonly (infer Column extends string)[];
}
  ? `${Name}.${Column}`
  : never;

export type SealedColumn = ColumnOf<(typeof SEALED_TABLES)[number]>;

/** The column and the row of a sealed value, such as `bookings.customer_name pbr_…`. */
export type Place = `${SealedColumn} ${string}`;

/** Returns the place of a sealed value. `key`: the values of the primary key, in the order of `SEALED_TABLES`. */
export function placeIn(column: SealedColumn, ...key: (string | number | boolean | Uint8Array)[]): Place {
  const parts = key.map((part) => (part instanceof Uint8Array ? Buffer.from(part).toString('base64') : String(part)));
  return `${column} ${parts.join(' ')}`;
}

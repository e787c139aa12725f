import type { ComponentType, ReactNode } from 'react';
import type { ListInput, ListState } from './list-state';
import type { Affected, Choices, KindName, Outside } from './types';
import type { RecordForm } from './use-record-form';
import type { Words } from './words';

/** The columns that the lists of all kinds of records have in common. */
export type RecordRow = { id: string; name: string; published: boolean };

export type RecordsPage<Row> = { records: Row[]; total: number; page_size: number };

type Target = { id: string; expected_version: number; confirmed: string };
type Saved = { id: string; version: number };
/** A change's result: the new version, or the bookings that the user must confirm before the change is made. */
export type Changed = Saved | { affected: Affected };
type Query<Input, Output> = { query: (input: Input) => Promise<Output> };
type Mutation<Input, Output> = { mutate: (input: Input) => Promise<Output> };

/** The types in which a kind's tRPC procedures return a record (`doc`), accept it (`values`), and list it (`row`). */
export type KindTypes = { doc: { published: boolean }; values: object; row: RecordRow };

/** The tRPC procedures of one kind of record. */
export type RecordProcedures<K extends KindTypes> = {
  list: Query<ListInput, RecordsPage<K['row']>>;
  get: Query<{ id: string }, { id: string; version: number; record: K['doc'] }>;
  outside: Query<{ id: string }, Outside>;
  unpublishing: Query<{ id: string }, Affected>;
  create: Mutation<{ record: K['values'] }, Saved>;
  /** `before` contains the values that the record has in version `expected_version`. */
  update: Mutation<Target & { record: K['values']; before: K['values'] }, Changed>;
  set_published: Mutation<Target & { published: boolean }, Changed>;
};

type Remote<K extends KindTypes> = Omit<RecordProcedures<K>, 'update'> & {
  update: Mutation<Target & { record: K['values'] }, Changed>;
};

/**
 * Returns `RecordProcedures` for a kind whose tRPC procedure `update` does not accept `before`. The returned `update`
 * removes `before` from its input.
 */
export function proceduresOf<K extends KindTypes>(remote: Remote<K>): RecordProcedures<K> {
  // tRPC clients are proxies, so their properties cannot be spread.
  const { list, get, outside, unpublishing, create, set_published } = remote;
  const update = {
    mutate: ({ before: _, ...input }: Target & { record: K['values']; before: K['values'] }) =>
      remote.update.mutate(input),
  };
  return { list, get, outside, unpublishing, create, set_published, update };
}

/** An additional column of the list. It is shown after the name and the published state. */
export type RecordColumn<Row> = {
  /** The key of its label in the messages `catalog.columns`. */
  label: ColumnName;
  cell: (row: Row, words: Words) => ReactNode;
  numeric?: true;
  /** Whether the value says what it is, so that a card needs no label for it. */
  plain?: true;
};

type ColumnName =
  | 'category'
  | 'duration'
  | 'price'
  | 'capacity'
  | 'specialists'
  | 'locations'
  | 'services'
  | 'city'
  | 'timeZone'
  | 'title';

/** A further filter of a list. */
export type FilterProps = { state: ListState; go: (patch: Partial<ListState>) => void };

export type FieldsProps<Values extends object> = {
  form: RecordForm<Values>;
  choices: Choices;
  canEdit: boolean;
  isNew: boolean;
};

/** The selected records of a list, and a function that clears the selection. */
export type BulkProps<Row> = { rows: readonly Row[]; onDone: () => void };

/**
 * The declaration of one kind of catalog record. From it, the modules in `pages/` build the list page, the editor, and
 * the page for a new record. Its texts are the messages `catalog.kinds`.
 */
export type RecordKind<K extends KindTypes> = {
  name: KindName;
  /** Name of the tRPC router of this kind. It is a field of the router `catalog`. */
  router: `${KindName}s`;
  listPath: string;
  /** Path to which `/new` or the ID of a record is appended. */
  path: string;
  columns: readonly RecordColumn<K['row']>[];
  /** If the list is narrower than this number of pixels, each record is shown as a card instead of a table row. */
  minWidth: number;
  /** A button for owners, shown above the list beside the button that creates a record. */
  ListAction?: ComponentType;
  /** A button for the selected records, shown beside Publish and Unpublish. */
  BulkAction?: ComponentType<BulkProps<K['row']>>;
  /** A filter beside the search. `listInput` sends it to the server. */
  Filter?: ComponentType<FilterProps>;
  listInput?: (state: ListState) => ListInput;
  useProcedures: () => RecordProcedures<K>;
  /** Initial values of a new record. */
  initial: K['values'];
  /** Returns the values that the form edits: the record without its published state. */
  valuesOf: (record: K['doc']) => K['values'];
  /** Returns the title of a record's page; undefined if the record has no name. */
  titleOf: (record: K['doc'], choices: Choices) => string | undefined;
  /**
   * Two functions that return whether nobody offers a record. `record` takes the record, and `row` takes its row in the
   * list. Set only for services, because only services are offered.
   */
  unoffered?: { record: (record: K['doc']) => boolean; row: (row: K['row']) => boolean };
  /**
   * Returns why partners cannot book a record after it is published, as a key of the messages `catalog.unready`; null if
   * nothing is missing.
   */
  unready?: (record: K['doc']) => Unready | null;
  /** Returns a question to ask before a change is saved; null if the change needs no confirmation. */
  questionOf?: (words: Words, before: K['values'], after: K['values']) => string | null;
};

export type Unready = 'closed' | 'noService' | 'noHours';

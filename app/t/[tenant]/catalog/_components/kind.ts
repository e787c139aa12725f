import type { ComponentType, ReactNode } from 'react';
import type { Outputs } from '../../_components/api-types';
import { useTRPC } from '../../_components/trpc';
import type { ListInput, ListState } from './lists/list-state';
import type { RecordForm } from './records/use-record-form';
import type { Choices, KindName, LocationValues } from './types';
import type { Words } from './words';

/** The columns that the lists of all kinds of records have in common. */
export type RecordRow = { id: string; name: string; published: boolean };

export type RecordsPage<Row> = { records: Row[]; total: number; page_size: number };

/** The types in which a kind's tRPC procedures return a record (`doc`), accept it (`values`), and list it (`row`). */
export type KindTypes = { doc: { published: boolean }; values: object; row: RecordRow };

/** A change's result: the new version, or the bookings that the user must confirm before the change is made. */
export type Changed = Outputs['catalog']['locations']['update'];

/** Returns the tRPC procedures of a kind, in the types of locations, because TypeScript cannot know which kind it is. */
export function useProcedures({ router }: { router: `${KindName}s` }) {
  return useTRPC().catalog[router] as ReturnType<typeof useTRPC>['catalog']['locations'];
}

/** An additional column of the list. It is shown after the name and the published state. */
export type RecordColumn<Row> = {
  /** The key of its label in the messages `catalog`. */
  key:
    | `columns.${'specialists' | 'locations' | 'services'}`
    | `service.${'category' | 'duration' | 'price' | 'capacity'}`
    | `location.${'city' | 'timeZone'}`
    | 'specialist.title';
  cell: (row: Row, words: Words) => ReactNode;
  numeric?: true;
  /** Whether the value says what it is, so that a card needs no label for it. */
  plain?: true;
};

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
  /** Initial values of a new record. */
  initial: K['values'];
  /** Returns the input that saves `after`. Set only for services, which are saved together with their offerings. */
  inputOf?: (before: K['values'], after: K['values']) => { record: object };
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

/** Returns the input that saves `after` in place of `before`, in the types of locations, like `useProcedures`. */
export function inputOf<K extends KindTypes>({ inputOf: of }: RecordKind<K>, before: K['values'], after: K['values']) {
  return (of?.(before, after) ?? { record: after }) as { record: LocationValues };
}

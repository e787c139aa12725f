/** The id of a cell: 4 lowercase letters or digits (contract B10). */
export const CELL_ID = /^[0-9a-z]{4}$/;

/**
 * The source of a regular expression for a key with a cell id. Its only group is the cell id. nginx uses the
 * expression too, so it contains only syntax that both JavaScript and nginx understand.
 */
export const CELL_OF_KEY = 'pbk_(?:test|live)_(?<cell>[0-9a-z]{4})[0-9A-Za-z]{38}';

/**
 * The source of a regular expression that matches a key. Its only group is the start of the key. A directory of cells
 * lists keys by their start.
 */
export const START_OF_KEY = '(?<start>pbk_(?:test|live)_[0-9A-Za-z]{12})[0-9A-Za-z]{26}(?:[0-9A-Za-z]{4})?';

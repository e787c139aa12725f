/** The id of a cell (contract B10). */
export const CELL_ID = /^[0-9a-z]{4}$/;

/** nginx uses this expression too, so it contains only syntax that both JavaScript and nginx understand. */
export const CELL_OF_KEY = 'pbk_(?:test|live)_(?<cell>[0-9a-z]{4})[0-9A-Za-z]{38}';

/** A directory of cells lists keys by this start. */
export const START_OF_KEY = '(?<start>pbk_(?:test|live)_[0-9A-Za-z]{12})[0-9A-Za-z]{26}(?:[0-9A-Za-z]{4})?';

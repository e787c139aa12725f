import type { SearchedPhone } from '../types';

/** Runs a search on the Bookings page. Null while another page is shown. */
let search: ((searched: SearchedPhone) => void) | null = null;

/** The search that the Bookings page runs when it opens. It stays in memory, because it contains a phone number. */
let due: SearchedPhone | null = null;

/** Searches by phone number on the Bookings page. If another page is shown, calls `open`, which opens the Bookings page. */
export function requestCaller(searched: SearchedPhone, open: () => void): void {
  if (search) {
    search(searched);
  } else {
    due = searched;
    open();
  }
}

/** Runs a search that another page has already requested. Returns a function that ends the registration. */
export function serveCaller(run: (searched: SearchedPhone) => void): () => void {
  search = run;
  if (due) run(due);
  due = null;
  return () => {
    search = null;
  };
}

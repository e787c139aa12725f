'use client';

import { useSyncExternalStore } from 'react';

const loadScripts = () =>
  import('./scripts').then(({ Autocomplete, MultiSelect, Select }) => ({ Autocomplete, MultiSelect, Select }));

type Scripts = Awaited<ReturnType<typeof loadScripts>>;

/** The scripts of the fields with a list of options. Null until the scripts are loaded. */
let scripts: Scripts | null = null;
let isLoading = false;
const readers = new Set<() => void>();

const INTERACTIONS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** Loads the scripts. After a failure, the user's next interaction calls this function again. */
function load(): void {
  if (scripts || isLoading) return;
  isLoading = true;
  loadScripts().then(
    (loaded) => {
      scripts = loaded;
      for (const type of INTERACTIONS) document.removeEventListener(type, load);
      for (const render of readers) render();
    },
    () => {
      isLoading = false;
    },
  );
}

function subscribe(render: () => void): () => void {
  if (!scripts) for (const type of INTERACTIONS) document.addEventListener(type, load, { passive: true });
  readers.add(render);
  return () => {
    readers.delete(render);
    if (readers.size > 0) return;
    for (const type of INTERACTIONS) document.removeEventListener(type, load);
  };
}

/**
 * Returns the scripts of the fields with a list of options. Returns null until these scripts are loaded. They are a
 * fifth as large as all other scripts of a page, so they are loaded only when the user first moves the pointer, presses
 * a key, or focuses an element.
 */
export function useChoiceScripts(): Scripts | null {
  return useSyncExternalStore(
    subscribe,
    () => scripts,
    () => null,
  );
}

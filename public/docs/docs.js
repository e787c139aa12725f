// Optional: without this script, the search has its own page and code can be selected.
const form = document.querySelector('form[role=search]');
const input = form.querySelector('input');
const found = document.querySelector('#found');

let asked = '';

// The navigation has its own scroll bar on wide screens. On narrow ones, this has no effect.
const contents = document.querySelector('#contents');
const current = contents.querySelector('[aria-current]');
if (current) contents.scrollTop = current.offsetTop - contents.clientHeight / 2;

/** Shows results while the user types; drops every response but the one to the latest query. */
async function show() {
  const query = input.value.trim();
  if (query === asked) return;
  asked = query;
  if (!query) return found.replaceChildren();
  const response = await fetch(`/docs/search.json?q=${encodeURIComponent(query)}`).catch(() => null);
  if (!response?.ok || query !== asked) return;
  const results = (await response.json()).found.slice(0, 8);
  // Replacing the list would remove the focused link.
  if (query === asked && !found.contains(document.activeElement)) found.replaceChildren(list(results));
}

function list(results) {
  const ul = document.createElement('ul');
  for (const { url, page, heading } of results) {
    const link = document.createElement('a');
    link.href = url;
    link.textContent = heading === page ? page : `${page}: ${heading}`;
    const li = document.createElement('li');
    li.append(link);
    ul.append(li);
  }
  if (results.length === 0) {
    const li = document.createElement('li');
    const text = document.createElement('p');
    text.textContent = 'Nothing found.';
    li.append(text);
    ul.append(li);
  }
  return ul;
}

function hide() {
  asked = '';
  found.replaceChildren();
}

input.addEventListener('input', show);
form.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops = [input, ...found.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  if (!step || at < 0 || stops.length === 1) return;
  event.preventDefault();
  stops[(at + step + stops.length) % stops.length].focus();
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) hide();
});
document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === 'Escape') hide();
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});

for (const figure of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard.writeText(figure.querySelector('code').textContent).then(
      () => 'Copied',
      () => 'Select the text to copy',
    );
    button.textContent = done;
  });
  figure.prepend(button);
}

// Choosing a language in one group of tabs chooses it in all groups of all pages, also later.
const LANGUAGE = 'docs-language';
const languageOf = (choice) => choice.nextElementSibling.textContent;

function choose(language) {
  for (const choice of document.querySelectorAll('.tabs input')) {
    if (languageOf(choice) === language) choice.checked = true;
  }
}

/** Storage can be blocked. The choice then lasts as long as the page. */
function stored(work) {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
}

choose(stored((storage) => storage.getItem(LANGUAGE)));
// A page that the browser shows again from memory ran this script before the latest choice.
addEventListener('pageshow', () => choose(stored((storage) => storage.getItem(LANGUAGE))));
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.tabs input')) return;
  const { top } = target.getBoundingClientRect();
  choose(languageOf(target));
  stored((storage) => storage.setItem(LANGUAGE, languageOf(target)));
  // Groups above may now be longer or shorter.
  window.scrollBy(0, target.getBoundingClientRect().top - top);
});

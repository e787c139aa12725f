// The console of a reference page. The API key is only in its input: never in storage, in a URL, or in the curl command.
const form = document.querySelector('form.try');
const [headers, body, curl] = [...form.querySelectorAll('.code code')];
const outcome = form.querySelector('.outcome');
const keyInput = form.querySelector('[data-in=key]');
const bodyInput = form.querySelector('[data-in=body]');
const idempotencyKey = form.querySelector('[data-name=Idempotency-Key]');

const API = form.dataset.path.split('/').slice(0, 4).join('/');
const SHOWN = /^(x-request-id|x-ratelimit-.*|retry-after|location|content-language|idempotent-.*|x-original-.*)$/;
const TIMEOUT = 30_000;

/** Returns the inputs of a part of the request that are not empty, as pairs. */
const given = (part) =>
  [...form.querySelectorAll(`[data-in=${part}]`)]
    .map(({ dataset, value }) => [dataset.name, value])
    .filter(([, value]) => value !== '');

function requestOf() {
  const values = Object.fromEntries(given('path'));
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams(given('query')).toString();
  const sent = given('header');
  if (bodyInput) sent.push(['Content-Type', 'application/json']);
  return { url: path + (query && `?${query}`), method: form.dataset.method, sent, body: bodyInput?.value };
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Shows the equivalent curl command, with the name of a variable in place of the key. */
function showCurl() {
  const request = requestOf();
  const lines = [`curl -i -X ${request.method} ${quoted(location.origin + request.url)}`];
  lines.push('-H "Authorization: Bearer $API_KEY"');
  for (const [name, value] of request.sent) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (bodyInput) lines.push(`-d ${quoted(request.body)}`);
  curl.textContent = lines.join(' \\\n  ');
}

/** Returns what is wrong with the key, or null. A LIVE key is not sent. */
function problemOf(key) {
  if (key === '') return 'Enter a TEST key first.';
  if (key.startsWith('pbk_live_')) return 'This is a LIVE key. It was not sent: use a TEST key.';
  return /^[\x21-\x7e]+$/.test(key) ? null : 'A key has only ASCII characters without spaces.';
}

async function call({ url, method, sent = [], body: text }) {
  const wrong = sent.find(([, value]) => !/^[\x20-\x7e]*$/.test(value));
  if (wrong) throw new Error('header', { cause: `${wrong[0]} has a character that is not ASCII.` });
  const signal = AbortSignal.timeout(TIMEOUT);
  const all = [...sent, ['Authorization', `Bearer ${keyInput.value.trim()}`]];
  const options = {
    method,
    headers: all,
    body: text,
    signal,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
  };
  return fetch(url, options);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send() {
  const begun = performance.now();
  const response = await call(requestOf());
  const text = await response.text();
  outcome.textContent = `${response.status} ${response.statusText}, ${Math.round(performance.now() - begun)} ms`;
  const shown = [...response.headers].filter(([name]) => SHOWN.test(name));
  headers.textContent = shown.map(([name, value]) => `${name}: ${value}`).join('\n');
  body.textContent = pretty(text);
  form.querySelector('.answer').hidden = false;
}

const LOST = 'No response. The outcome is unknown: send the same request again.';

/** Runs an action of a button, and shows its failure. The console runs one action at a time. */
async function run(action) {
  const problem = problemOf(keyInput.value.trim());
  outcome.textContent = problem ?? 'Waiting for the response …';
  form.querySelector('.answer').hidden = true;
  if (problem) return keyInput.focus();
  const buttons = form.querySelectorAll('.actions button');
  for (const button of buttons) button.setAttribute('aria-disabled', 'true');
  try {
    await action();
  } catch (error) {
    outcome.textContent = error instanceof SyntaxError ? 'The body is not valid JSON.' : (error.cause ?? LOST);
  }
  for (const button of buttons) button.removeAttribute('aria-disabled');
}

async function read(path) {
  const response = await call({ url: API + path, method: 'GET' });
  const { data, error } = await response.json();
  if (error) throw new Error(error.code, { cause: `${response.status} ${error.code}: ${error.message}` });
  return data;
}

const dayAhead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Replaces the ids, the date, and the time of the examples with those of a free slot. */
async function fill() {
  const { services } = await read('/catalog?limit=10');
  for (const { id, location_ids } of services) {
    const query = {
      service_id: id,
      location_id: location_ids[0],
      date: dayAhead(3),
      date_to: dayAhead(13),
      limit: '1',
    };
    const [slot] = (await read(`/availability?${new URLSearchParams(query)}`)).slots;
    if (slot) return apply(slot);
  }
  outcome.textContent = 'There is no free slot in the next days.';
}

function apply({ service_id, location_id, date, start_time }) {
  const values = { service_id, location_id, date };
  for (const input of form.querySelectorAll('[data-in=query]')) input.value = values[input.dataset.name] ?? input.value;
  if (bodyInput) {
    const { specialist_id, ...written } = JSON.parse(bodyInput.value);
    bodyInput.value = JSON.stringify({ ...written, ...values, start_time }, null, 2);
    renew();
  }
  outcome.textContent = `Filled in the free slot at ${start_time} on ${date}.`;
  showCurl();
}

/** Another body is another write, so it gets another idempotency key. */
function renew() {
  // Unlike randomUUID, getRandomValues also exists on http.
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  if (idempotencyKey) idempotencyKey.value = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!form.querySelector('[aria-disabled]')) run(send);
});
form.querySelector('[data-fill]')?.addEventListener('click', () => {
  if (!form.querySelector('[aria-disabled]')) run(fill);
});
form.addEventListener('input', ({ target }) => {
  if (target === bodyInput) renew();
  if (target !== keyInput) showCurl();
});
// A page in the back-forward cache keeps its inputs.
window.addEventListener('pagehide', () => {
  keyInput.value = '';
});

renew();
showCurl();
form.hidden = false;

import type { Axis } from './columns';
import { type Place, placeAt } from './place';

/** Distance in pixels after which a press becomes a drag. */
const THRESHOLD = 6;

/**
 * If the pointer is within `EDGE` pixels of the frame's edge, the frame scrolls by `SPEED` pixels per animation frame.
 */
const EDGE = 36;
const SPEED = 8;

type Handlers = {
  onStart: () => void;
  /** Called once per animation frame during the drag. */
  onMove: (place: Place) => void;
  /** Called with the place at the end of the drag; null if there are no columns. */
  onDrop: (place: Place | null) => void;
  onCancel: () => void;
};

type Press = Pick<PointerEvent, 'pointerId' | 'clientX' | 'clientY'>;

/**
 * Starts following a pointer that is pressed on a block. Escape cancels the drag. Returns a function that stops
 * following the pointer.
 * @param frame The scrolling element that contains the columns.
 */
export function followPointer(press: Press, block: Element, frame: Element, axis: Axis, on: Handlers): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const grab = press.clientY - block.getBoundingClientRect().top;
  let [x, y] = [press.clientX, press.clientY];
  let request = 0;
  const stop = () => {
    cancelAnimationFrame(request);
    listeners.abort();
  };
  const render = () => {
    scrollAtEdge(frame, x, y);
    const place = placeAt(x, y - grab, rectsOf(frame), axis);
    if (place) on.onMove(place);
    request = requestAnimationFrame(render);
  };
  const isFollowed = (event: PointerEvent) => event.pointerId === press.pointerId;
  const onPointerMove = (event: PointerEvent) => {
    if (!isFollowed(event)) return;
    [x, y] = [event.clientX, event.clientY];
    if (request !== 0 || Math.hypot(x - press.clientX, y - press.clientY) < THRESHOLD) return;
    window.getSelection()?.removeAllRanges();
    on.onStart();
    render();
  };
  const end = (finish: () => void) => {
    const hasStarted = request !== 0;
    stop();
    if (!hasStarted) return;
    ignoreClick();
    finish();
  };
  // The pointer may have moved since the last animation frame.
  const drop = () => on.onDrop(placeAt(x, y - grab, rectsOf(frame), axis));
  window.addEventListener('pointermove', onPointerMove, { signal });
  window.addEventListener('pointerup', (event) => isFollowed(event) && end(drop), { signal });
  window.addEventListener('pointercancel', (event) => isFollowed(event) && end(on.onCancel), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(on.onCancel), { signal });
  return stop;
}

/** Ignores the click that the browser reports at the end of a drag. This click would open the booking. */
function ignoreClick(): void {
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', ignore, { capture: true });
  setTimeout(() => window.removeEventListener('click', ignore, { capture: true }));
}

function rectsOf(frame: Element) {
  return [...frame.querySelectorAll('[data-column]')].flatMap((element) => {
    const { left, right, top, width } = element.getBoundingClientRect();
    // Hidden columns have no width. On a narrow screen, all columns but one are hidden.
    return width > 0 ? [{ column: element.getAttribute('data-column') ?? '', left, right, top }] : [];
  });
}

function scrollAtEdge(frame: Element, x: number, y: number): void {
  const { left, right, top, bottom } = frame.getBoundingClientRect();
  const along = (at: number, start: number, end: number) => (at < start + EDGE ? -SPEED : at > end - EDGE ? SPEED : 0);
  frame.scrollBy(along(x, left, right), along(y, top, bottom));
}

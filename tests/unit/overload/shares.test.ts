import { describe, expect, it } from 'vitest';
import { createShares } from '@/lib/http/partner-api/work';

/** Calls `createShares` with a capacity of 100 units. Work that has ended still counts until `settle` is called. */
function shares() {
  const deferred: (() => void)[] = [];
  const { begin } = createShares({ capacity: 100, share: 0.25, defer: (callback) => deferred.push(callback) });
  const settle = () => {
    for (const callback of deferred.splice(0)) callback();
  };
  /**
   * Begins as many pieces of work for an application as are allowed. Returns the functions that end them, one for each
   * piece.
   */
  const fill = (application: string) => {
    const ends: (() => void)[] = [];
    for (let end = begin(application, 1); end; end = begin(application, 1)) ends.push(end);
    return ends;
  };
  return { begin, settle, fill };
}

describe('createShares', () => {
  it('gives one application a fifth: a quarter of what it leaves free', () => {
    expect(shares().fill('a')).toHaveLength(20);
  });

  it('lowers the bound with each busy application, and leaves room for a quiet one', () => {
    const { begin, fill } = shares();
    fill('a');
    const [b, c] = [fill('b'), fill('c')];
    expect(b.length).toBeGreaterThan(c.length);
    expect(begin('a', 1)).toBeNull();
    for (let i = 0; i < 5; i++) fill(`more-${i}`);
    expect(begin('quiet', 1)).not.toBeNull();
  });

  it('counts work by its units', () => {
    const { begin } = shares();
    for (let i = 0; i < 10; i++) expect(begin('a', 2)).not.toBeNull();
    expect(begin('a', 1)).toBeNull();
  });

  it('counts ended work once, until the current turn of the event loop is over', () => {
    const { begin, settle, fill } = shares();
    const ends = fill('a');
    for (const end of [...ends, ...ends]) end();
    expect(begin('a', 1)).toBeNull();
    settle();
    expect(fill('a')).toHaveLength(20);
  });
});

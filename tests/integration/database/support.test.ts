import { describe, expect, test } from 'vitest';
import { assertLocal, createDatabase, openPool } from '@/tests/support/database';

describe('test databases', () => {
  test.each([
    'postgresql://a:b@localhost:5432/c',
    'postgresql://a:b@127.0.0.1/c',
    'postgresql://a:b@127.8.9.1/c',
    'postgresql://a:b@[::1]:5432/c',
    'postgresql:///c?host=/var/run/postgresql',
  ])('%s is local', (url) => expect(() => assertLocal(url)).not.toThrow());

  test.each([
    'postgresql://a:b@db.example.com/c',
    'postgresql://a:b@10.0.0.1/c',
    'postgresql://a:b@127.0.0.1.example.com/c',
    'postgresql://a:b@localhost/c?host=db.example.com',
    'postgresql://a:b@[2001:db8::1]/c',
  ])('%s is refused', (url) => expect(() => assertLocal(url)).toThrow(/on this machine/));

  test('many are created at once, empty and independent', async () => {
    const databases = await Promise.all(Array.from({ length: 2 }, () => createDatabase()));
    expect(new Set(databases.map((database) => database.url)).size).toBe(2);
    for (const database of databases) {
      const pool = openPool(database.url, 1);
      const { rows } = await pool.query('SELECT count(*)::int AS tenants FROM tenants');
      await pool.end();
      expect(rows).toEqual([{ tenants: 0 }]);
      await database.drop();
    }
  });
});

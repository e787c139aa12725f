import { expect, test } from 'vitest';
import { createSender, send } from '@/lib/webhooks/send';
import { endless, startReceiver } from '@/tests/support/receiver';

/** Bytes that the socket buffers of both sides can hold. The receiver writes them although the sender reads little. */
const BUFFERED = 24 * 1024 * 1024;

test('of an endless response body, only the start is read', async () => {
  let written = 0;
  const receiver = await startReceiver((received, res, req) => {
    req.socket.on('close', () => {
      written = req.socket.bytesWritten;
    });
    endless(received, res, req);
  });
  const sender = createSender({ allowLoopback: true, resolve: async () => [] });
  const outcome = await send(sender, { url: receiver.url, headers: {}, payload: '{}' });
  expect(outcome).toMatchObject({ status: 200, error: null, answer: 'x'.repeat(1_024) });
  await expect.poll(() => written).toBeGreaterThan(0);
  expect(written).toBeLessThan(BUFFERED);
  await receiver.close();
});

import { describe, expect, test } from 'vitest';
import { isPublicAddress, type Resolve, systemResolve } from '@/lib/webhooks/addresses';
import { createSender, send } from '@/lib/webhooks/send';
import { checkUrl } from '@/lib/webhooks/url';
import { startReceiver } from '@/tests/support/receiver';

/**
 * Creates a resolver for `names`. Each lookup of a name returns the next response in its list. After the end of the
 * list, the last response is returned again.
 */
function resolverOf(names: Record<string, string[][]>): Resolve {
  const asked = new Map<string, number>();
  return async (name) => {
    const answers = names[name];
    if (!answers) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    const turn = asked.get(name) ?? 0;
    asked.set(name, turn + 1);
    const addresses = answers[Math.min(turn, answers.length - 1)] ?? [];
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}

const PUBLIC = '93.184.215.14';

const PRIVATE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:93.184.215.14',
  '::127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::5db8:d70e',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:5db8:d70e::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  '2606:4700::1111%eth0',
  '2000::1',
  '2001:1000::1',
  '2001:c000::1',
  '2003:4000::1',
  '2420::1',
  '2d00::1',
  '3000::1',
  '3ffe::1',
  '3ffe:831f::1',
  '3fff::1',
  'ff02::1',
];

describe('addresses', () => {
  test.each(PRIVATE)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    PUBLIC,
    '8.8.8.8',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003:e7::1',
    '2404:6800:4003::1',
    '2620:fe::fe',
    '2c0f:fb50::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

const rules = {
  allowLoopback: false,
  resolve: resolverOf({
    'partner.com': [[PUBLIC]],
    'inside.com': [['10.1.2.3']],
    'both.com': [[PUBLIC, '127.0.0.1']],
    'both6.com': [['2606:4700::1111', 'fe80::1']],
    'later.com': [[PUBLIC], ['127.0.0.1']],
    'zone.com': [['2606:4700::1111%eth0']],
  }),
};

const REFUSED = [
  'http://partner.com/',
  'ftp://partner.com/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'gopher://partner.com:70/',
  '//partner.com/hooks',
  'partner.com',
  '',
  'https://',
  'https://user@partner.com/',
  'https://user:pw@partner.com/',
  'https://@partner.com/',
  'https://partner.com/#here',
  'https://partner.com/#',
  'https://partner.com/ hooks',
  'https://partner.com\\@inside.com/',
  'https://partner.com/\u0000',
  'https://localhost/',
  'https://localhost./',
  'https://api.localhost/',
  'https://metadata.google.internal/',
  'https://router.local/',
  'https://intranet/',
  'https://inside.com/',
  'https://partner.com../',
  'https://inside.com../',
  'https://metadata.google.internal../',
  'https://partner..com/',
  'https://.partner.com/',
  'https://both.com/',
  'https://both6.com/',
  'https://zone.com/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f.0.0.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://①②⑦.⓪.⓪.①/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  ...[0, 22, 25, 53, 110, 139, 389, 445, 1433, 2181, 2375, 2379, 3306, 5432, 6379, 9092, 9200, 11211, 26379, 27017].map(
    (port) => `https://partner.com:${port}/`,
  ),
  `https://partner.com/${'a'.repeat(2_048)}`,
  `https://partner.com/${'ü'.repeat(400)}`,
];

describe('the URL of an endpoint', () => {
  test.each(REFUSED)('%s is refused, and the error does not repeat it', async (url) => {
    const error = await checkUrl(url, rules).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_request', fields: [{ path: 'url' }] });
    expect(JSON.stringify(error)).not.toContain('partner.com/');
  });

  test.each([
    ['https://partner.com/hooks?token=1', 'https://partner.com/hooks?token=1'],
    ['HTTPS://PARTNER.COM/Hooks', 'https://partner.com/Hooks'],
    ['https://partner.com:8443/', 'https://partner.com:8443/'],
    ['https://93.184.215.14/', 'https://93.184.215.14/'],
    ['https://later.com/', 'https://later.com/'],
    // A name that cannot be resolved yet is accepted.
    ['https://not-yet.com/', 'https://not-yet.com/'],
  ])('%s is stored as %s', async (url, kept) => {
    expect(await checkUrl(url, rules)).toBe(kept);
  });

  test('http and loopback are allowed only by the setting of TEST', async () => {
    const open = { allowLoopback: true, resolve: systemResolve };
    for (const url of ['http://127.0.0.1:8080/hooks', 'http://localhost:8080/hooks', 'http://[::1]:8080/hooks'])
      expect(await checkUrl(url, open)).toBe(url);
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://127.0.0.1:5432/'])
      await expect(checkUrl(url, open)).rejects.toMatchObject({ fields: [{ path: 'url' }] });
  });
});

describe('a connection', () => {
  const attempt = (url: string) => ({ url, headers: {}, payload: '{}' });

  test('goes only to public addresses, whatever the name resolves to', async () => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    const resolve = resolverOf({
      'inside.com': [['127.0.0.1']],
      'both.com': [[PUBLIC, '127.0.0.1']],
      'mapped.com': [['::ffff:127.0.0.1']],
      'nat64.com': [['64:ff9b::7f00:1']],
      'sixtofour.com': [['2002:7f00:1::']],
      'empty.com': [[]],
    });
    const sender = createSender({ allowLoopback: false, resolve });
    for (const host of ['inside.com', 'both.com', 'mapped.com', 'nat64.com', 'sixtofour.com', 'empty.com', '127.0.0.1'])
      expect(await send(sender, attempt(`https://${host}:${port}/`))).toMatchObject({ error: 'refused_address' });
    expect(await send(sender, attempt(`https://[::1]:${port}/`))).toMatchObject({ error: 'refused_address' });
    expect(await send(sender, attempt(receiver.url))).toMatchObject({ error: 'insecure_url' });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test('resolves the name every time: an address that becomes private is refused', async () => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    // Loopback is allowed here, so that the first attempt reaches the receiver.
    const resolve = resolverOf({ 'later.com': [['127.0.0.1'], ['10.0.0.1']] });
    const sender = createSender({ allowLoopback: true, resolve });
    const url = `http://later.com:${port}/`;
    expect(await send(sender, attempt(url))).toMatchObject({ status: 200 });
    expect(await send(sender, attempt(url))).toMatchObject({ error: 'refused_address' });
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  test('an unknown name is reported as not found', async () => {
    const sender = createSender({ allowLoopback: false, resolve: resolverOf({}) });
    expect(await send(sender, attempt('https://unknown.com/'))).toMatchObject({ error: 'name_not_found' });
  });
});

import { safeFetch } from '@cds/service';
import { aTlsHost } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readWebsite } from './read-website.js';

describe('a website read over the network (docs/reliability.md#outward-requests)', () => {
  let host: Awaited<ReturnType<typeof aTlsHost>>;
  beforeAll(async () => {
    host = await aTlsHost();
  });
  afterAll(() => host.stop());

  const fetchPage = (address: string, types: readonly string[]) => safeFetch(address, types, host.outside);
  const read = (path: string) => readWebsite(fetchPage, `https://${host.name}${path}`);
  const html = (body: string, type = 'text/html; charset=utf-8') => ({ body: Buffer.from(body), type });

  it('is read through redirects, by the encoding that the server names', async () => {
    host.put('/', { body: Buffer.alloc(0), type: 'text/plain', status: 301, location: '/home' });
    host.put('/home', {
      body: Buffer.from('<title>Caf\u00e9 | Home</title><p>Coffee.</p>', 'latin1'),
      type: 'text/html; charset="ISO-8859-1"',
    });
    expect(await read('/')).toMatchObject({ name: 'Caf\u00e9', summary: 'Coffee.' });
  });

  it.each<[string, string, ReturnType<typeof html> & { status?: number }]>([
    ['a page that is not there', '/none', { ...html('<title>x</title>'), status: 404 }],
    ['another kind of file', '/file', html('%PDF', 'application/pdf')],
    ['more than a megabyte', '/large', html('x'.repeat(1_000_001))],
    ['a page that says nothing', '/empty', html('<script>1</script>')],
  ])('is null for %s', async (_what, path, served) => {
    host.put(path, served);
    expect(await read(path)).toBeNull();
  });

  it('is null for a forbidden address, and for one that does not answer', async () => {
    for (const address of ['http://acme.com', 'https://127.0.0.1/', 'https://nobody.creators.net/', 'not an address'])
      expect(await readWebsite(fetchPage, address)).toBeNull();
  });

  it('raises our own errors', async () => {
    const broken = () => Promise.reject(new TypeError('a bug'));
    await expect(readWebsite(broken, 'https://acme.com')).rejects.toThrow('a bug');
  });
});

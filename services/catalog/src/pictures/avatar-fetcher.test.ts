import { AVATAR_NAME } from '@cds/contracts';
import { makeLogger, safeFetch } from '@cds/service';
import { aTlsHost } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Creator, Identity } from '../domain/creator/creator.js';
import { type ImportFile, importFile } from '../imports/import-file.js';
import { avatarRead } from '../operations/avatar-read.js';
import { creatorGet } from '../operations/creator-get.js';
import { creatorsSearch } from '../operations/creators-search.js';
import { APP_URL, aNetwork, aRequest, NOW, type TestNetwork } from '../test/network.js';
import { aJpeg, aPng } from '../test/pictures.js';
import { AvatarFetcher } from './avatar-fetcher.js';

type Shown = { creators: { id: string; avatar_url: string | null }[] };

describe('a creator’s picture', () => {
  let network: TestNetwork;
  let host: Awaited<ReturnType<typeof aTlsHost>>;
  let avatarFetcher: AvatarFetcher;
  const said: unknown[] = [];

  const identities = () => network.identityStore.db.collection<Identity>('identities');
  const avatars = () => network.store.db.collection<{ _id: string; creator_id: string }>('avatars');
  const identityOf = async (handle: string): Promise<Identity> => {
    const identity = await identities().findOne({ handle_lower: handle });
    if (identity === null) throw new Error('nobody has this handle');
    return identity;
  };
  const creatorOf = async (handle: string): Promise<Creator | null> =>
    network.store.db.collection<Creator>('creators').findOne({ _id: (await identityOf(handle))._id });
  /** Imports a profile as of a later day each time. */
  let day = 1;
  const sync = async (handle: string, over: object = {}): Promise<void> => {
    day += 1;
    const asOf = new Date(Date.UTC(2026, 10, day)).toISOString();
    const text = JSON.stringify({
      version: 1,
      as_of: asOf,
      source: 'network',
      creators: [{ handle, name: 'Quill', ...over }],
    });
    const file: ImportFile = {
      type: 'json',
      text: async function* () {
        yield text;
      },
    };
    const report = await importFile(network.importer, file, {
      asOf: null,
      dryRun: false,
      creator: null,
      networkNow: new Date(NOW),
      setBy: 'test',
    });
    expect(report.refused).toEqual([]);
  };
  const list = async (handle: string): Promise<void> => {
    await network.store.db
      .collection<Creator>('creators')
      .updateOne(
        { _id: (await identityOf(handle))._id },
        { $set: { status: 'approved', network_version: await network.state.next() } },
      );
    await network.memory.follow(NOW.slice(0, 10));
  };
  const shownOf = async (handle: string): Promise<string | null> => {
    await network.memory.follow(NOW.slice(0, 10));
    const { _id: id } = await identityOf(handle);
    const opened = JSON.parse(
      String(((await creatorGet(aRequest(), { id }, network)) as { json: Uint8Array | string }).json),
    ) as {
      avatar_url: string | null;
    };
    const page = (await creatorsSearch(aRequest(), { q: 'Quill', limit: 50 }, network)) as { json: Uint8Array };
    const rows = (JSON.parse(Buffer.from(page.json).toString()) as Shown).creators;
    expect(rows.find((row) => row.id === id)?.avatar_url).toBe(opened.avatar_url);
    return opened.avatar_url;
  };

  beforeAll(async () => {
    [network, host] = await Promise.all([aNetwork('avatarFetcher'), aTlsHost()]);
    const fetchPicture = (address: string, types: readonly string[]) => safeFetch(address, types, host.outside);
    avatarFetcher = new AvatarFetcher(network.avatarQueue, fetchPicture, {
      info: (...parts: unknown[]) => said.push(parts),
    } as never);
  });
  afterAll(async () => {
    await host.stop();
    await network.drop();
  });

  it('is fetched after an import and served from our own origin under a random name', async () => {
    const source = host.put('/quill_one/1.png', { body: aPng('quill_one'), type: 'image/png' });
    await sync('quill_one', { network_id: '4242', avatar_url: source });
    await list('quill_one');
    expect(await shownOf('quill_one')).toBeNull();

    expect(await avatarFetcher.run(new Date(NOW))).toBe(1);
    const url = (await shownOf('quill_one')) ?? '';
    const name = url.slice(`${APP_URL}/avatars/`.length);
    expect(url).toBe(`${APP_URL}/avatars/${name}`);
    expect(name).toMatch(AVATAR_NAME);
    const { _id: id } = await identityOf('quill_one');
    for (const trace of ['quill', '4242', id, id.replaceAll('-', '')]) expect(name).not.toContain(trace);

    const { data } = (await avatarRead(aRequest(), { name }, network)) as { data: string };
    const bytes = Buffer.from(data, 'base64');
    expect(bytes).toEqual(aPng());
    expect(bytes.toString('latin1')).not.toContain('quill');
    expect(await avatarFetcher.run(new Date(NOW))).toBe(0);
  });

  it('keeps its name while it is the same, even if its metadata changed', async () => {
    const before = await shownOf('quill_one');
    const again = host.put('/quill_one/2.png', { body: aPng('other words'), type: 'image/png' });
    await sync('quill_one', { avatar_url: again });
    expect(await avatarFetcher.run(new Date(NOW))).toBe(1);
    expect(await shownOf('quill_one')).toBe(before);
  });

  it('gets a new name when it changes, and the old name still serves the old picture', async () => {
    const before = (await shownOf('quill_one')) ?? '';
    await sync('quill_one', { avatar_url: host.put('/3.jpg', { body: aJpeg('quill_one'), type: 'image/jpeg' }) });
    await avatarFetcher.run(new Date(NOW));
    const after = (await shownOf('quill_one')) ?? '';
    expect(after).not.toBe(before);
    expect(after.endsWith('.jpg')).toBe(true);
    expect(await avatarRead(aRequest(), { name: before.slice(-36) }, network)).toEqual({
      data: aPng().toString('base64'),
    });
  });

  it.each([
    ['is not there', '/gone.png', null],
    ['is no picture', '/page.png', { body: Buffer.from('<html>'), type: 'image/png' }],
    ['is sent as another type', '/type.png', { body: aPng(), type: 'text/html' }],
    ['is too large', '/large.png', { body: Buffer.concat([aPng(), Buffer.alloc(1_000_000)]), type: 'image/png' }],
    [
      'redirects to one of our own machines',
      '/lead.png',
      { body: aPng(), type: 'image/png', status: 302, location: 'https://127.0.0.1/' },
    ],
  ])('that %s changes nothing, and is retried later', async (_name, path, hosted) => {
    const before = await shownOf('quill_one');
    const count = await avatars().countDocuments();
    const source = hosted === null ? `https://pictures.creators.net${path}` : host.put(path, hosted);
    await sync('quill_one', { avatar_url: source });
    const held = await creatorOf('quill_one');
    expect(await avatarFetcher.run(new Date(NOW))).toBe(1);
    expect(await creatorOf('quill_one')).toEqual(held);
    expect(await shownOf('quill_one')).toBe(before);
    expect(await avatars().countDocuments()).toBe(count);
    expect(await avatarFetcher.run(new Date(NOW))).toBe(0);
    expect(await identityOf('quill_one')).toMatchObject({ avatar_tries: 1, avatar_due_at: expect.any(Date) });
  });

  it('is not retried after five tries until the next sync', async () => {
    await sync('quill_one', { avatar_url: 'https://pictures.creators.net/never.png' });
    for (let tries = 1; tries <= 5; tries += 1) {
      await identities().updateOne({ handle_lower: 'quill_one' }, { $set: { avatar_due_at: new Date(0) } });
      expect(await avatarFetcher.run(new Date(NOW))).toBe(1);
    }
    expect(await identityOf('quill_one')).not.toHaveProperty('avatar_due_at');
    await sync('quill_one', { avatar_url: 'https://pictures.creators.net/never.png' });
    expect(await identityOf('quill_one')).toMatchObject({ avatar_due_at: new Date(0) });
    await avatarFetcher.run(new Date(NOW));
  });

  it('survives a sync that does not state it, and is removed by one that states none', async () => {
    const before = await shownOf('quill_one');
    expect(before).not.toBeNull();
    await sync('quill_one', { bio: 'Another bio.' });
    expect(await shownOf('quill_one')).toBe(before);
    await sync('quill_one', { avatar_url: null });
    expect(await shownOf('quill_one')).toBeNull();
    expect(await avatarFetcher.run(new Date(NOW))).toBe(0);
  });

  it('is not stored if its source changed while it was fetched', async () => {
    await sync('quill_one', { avatar_url: host.put('/old.png', { body: aPng('', 1), type: 'image/png' }) });
    const next = host.put('/new.png', { body: aPng('', 2), type: 'image/png' });
    const late = new AvatarFetcher(
      network.avatarQueue,
      async (address, types) => {
        const fetched = await safeFetch(address, types, host.outside);
        await sync('quill_one', { avatar_url: next });
        return fetched;
      },
      makeLogger('catalog', 'silent'),
    );
    const count = await avatars().countDocuments();
    expect(await late.run(new Date(NOW))).toBe(1);
    expect(await avatars().countDocuments()).toBe(count);
    expect(await shownOf('quill_one')).toBeNull();

    expect(await avatarFetcher.run(new Date(NOW))).toBe(1);
    const shown = await creatorOf('quill_one');
    expect(await avatarRead(aRequest(), { name: shown?.avatar ?? '' }, network)).toEqual({
      data: aPng('', 2).toString('base64'),
    });
  });

  it('is fetched by only one replica', async () => {
    await sync('quill_one', { avatar_url: host.put('/once.png', { body: aPng('', 3), type: 'image/png' }) });
    host.asked.length = 0;
    const replicas = [
      avatarFetcher,
      new AvatarFetcher(
        network.avatarQueue,
        (address, types) => safeFetch(address, types, host.outside),
        makeLogger('catalog', 'silent'),
      ),
    ];
    await Promise.all(replicas.map((one) => one.run(new Date(NOW))));
    expect(host.asked).toEqual(['/once.png']);
  });

  it('leaves no handle and no address in the logs', () => {
    expect(said.length).toBeGreaterThan(5);
    expect(JSON.stringify(said)).not.toMatch(/quill|pictures\.creators|https/);
  });
});

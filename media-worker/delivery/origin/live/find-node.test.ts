import { describe, expect, test, vi } from 'vitest';
import type { Clock } from '@/lib/infra/clock';
import { type LocateNodeOptions, NodeFinder, createLocateNode, locationMaxAgeMs } from './find-node';
import type { LookupCacheOptions } from '@/media-worker/delivery/origin/lookup-cache';

function openFinder(urls: Partial<Record<string, string | null>> = {}, options: LookupCacheOptions = {}) {
  let ms = 0;
  const clock: Clock = { now: () => new Date(ms), monotonic: () => ms };
  const locate = vi.fn((id: string) => Promise.resolve(urls[id] ?? null));
  const advance = (addedMs: number) => (ms += addedMs);
  return { nodes: new NodeFinder(locate, clock, options), locate, advance, urls };
}

describe('NodeFinder', () => {
  test('looks up the node of a stream once a second, however many requests there are', async () => {
    const { nodes, locate, advance } = openFinder({ a: 'http://one' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => nodes.find('a')));
    expect(new Set(answers)).toEqual(new Set(['http://one']));
    advance(1_000);
    await nodes.find('a');
    expect(locate).toHaveBeenCalledTimes(1);
    advance(1);
    await nodes.find('a');
    expect(locate).toHaveBeenCalledTimes(2);
  });

  test('expires the absence of a stream sooner, so that a start is noticed quickly', async () => {
    const { nodes, locate, advance, urls } = openFinder();
    expect(await nodes.find('a')).toBeNull();
    advance(500);
    expect(await nodes.find('a')).toBeNull();
    expect(locate).toHaveBeenCalledTimes(1);
    urls.a = 'http://one';
    advance(1);
    expect(await nodes.find('a')).toBe('http://one');
  });

  test('follows a stream to another node, and to its end', async () => {
    const { nodes, advance, urls } = openFinder({ a: 'http://one' });
    await nodes.find('a');
    urls.a = 'http://two';
    advance(1_001);
    expect(await nodes.find('a')).toBe('http://two');
    urls.a = null;
    advance(1_001);
    expect(await nodes.find('a')).toBeNull();
  });

  test('keeps the last location while the database fails, for five minutes', async () => {
    const { nodes, locate, advance } = openFinder({ a: 'http://one' });
    await nodes.find('a');
    locate.mockRejectedValue(new Error('no database'));
    advance(60_000);
    expect(await nodes.find('a')).toBe('http://one');
    advance(300_000);
    await expect(nodes.find('a')).rejects.toThrow('no database');
    await expect(nodes.find('never seen')).rejects.toThrow('no database');
  });

  test('returns the last location if the database does not respond', async () => {
    const { nodes, locate, advance } = openFinder({ a: 'http://one' });
    await nodes.find('a');
    locate.mockReturnValue(new Promise(() => undefined));
    advance(1_001);
    expect(await nodes.find('a')).toBe('http://one');
  });
});

describe('a location, while publishes are announced,', () => {
  const openAnnouncedFinder = (urls: Partial<Record<string, string | null>>) => {
    const state = { isListening: true };
    return { state, ...openFinder(urls, { announcedMaxAgeMs: () => locationMaxAgeMs(state.isListening) }) };
  };

  test('is looked up once in half a minute', async () => {
    const { nodes, locate, advance } = openAnnouncedFinder({ a: 'http://one' });
    for (let second = 0; second < 30; second += 1) {
      await nodes.find('a');
      advance(1_000);
    }
    expect(locate).toHaveBeenCalledTimes(1);
    advance(1);
    await nodes.find('a');
    expect(locate).toHaveBeenCalledTimes(2);
  });

  test('is looked up immediately after a publish, even if an older answer is still pending', async () => {
    const { nodes, locate, urls } = openAnnouncedFinder({ a: 'http://one' });
    await nodes.find('a');
    urls.a = 'http://two';
    nodes.invalidate('a');
    expect(await nodes.find('a')).toBe('http://two');
    let resolve: (url: string) => void = () => undefined;
    locate.mockReturnValueOnce(new Promise<string>((answer) => (resolve = answer)));
    nodes.invalidate('a');
    const lookup = nodes.find('a');
    nodes.invalidate('a');
    resolve('http://two');
    await lookup;
    urls.a = 'http://three';
    expect(await nodes.find('a')).toBe('http://three');
  });

  test('is looked up once a second while it is marked as stale', async () => {
    const { nodes, locate, advance } = openAnnouncedFinder({ a: 'http://one' });
    // At 0, 1.1 and 2.2 s: a stale location is used for a second.
    for (let tenth = 0; tenth < 31; tenth += 1) {
      await nodes.find('a');
      nodes.markStale('a');
      advance(100);
    }
    expect(locate).toHaveBeenCalledTimes(3);
  });

  test('is looked up again after a second while announcements fail, and once when they return', async () => {
    const { nodes, locate, advance, state } = openAnnouncedFinder({ a: 'http://one' });
    await nodes.find('a');
    state.isListening = false;
    advance(1_001);
    await nodes.find('a');
    expect(locate).toHaveBeenCalledTimes(2);
    state.isListening = true;
    nodes.markAllStale();
    advance(1_001);
    await nodes.find('a');
    advance(20_000);
    await nodes.find('a');
    expect(locate).toHaveBeenCalledTimes(3);
  });
});

const noDatabase = () => Promise.reject(new Error('no database'));
const localUrl = 'http://local';

const locate = (options: Partial<LocateNodeOptions>) =>
  createLocateNode({
    findRow: () => Promise.resolve(null),
    findLocalUrls: () => Promise.resolve([localUrl]),
    holds: () => Promise.resolve(true),
    ...options,
  })('abcd1234efgh5678');

describe('a database that answers', () => {
  test('names the node', async () => {
    expect(await locate({ findRow: () => Promise.resolve({ url: 'http://other' }) })).toBe('http://other');
  });

  test('that there is no such stream decides, even if a live process still has it', async () => {
    expect(await locate({})).toBeNull();
  });

  test('that the stream has no node is corrected by the live process that has it', async () => {
    const findIdleRow = () => Promise.resolve({ url: null });
    expect(await locate({ findRow: findIdleRow })).toBe(localUrl);
    expect(await locate({ findRow: findIdleRow, holds: () => Promise.resolve(false) })).toBeNull();
    const connectionError = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    expect(await locate({ findRow: findIdleRow, holds: () => Promise.reject(connectionError) })).toBeNull();
    expect(await locate({ findRow: findIdleRow, findLocalUrls: () => Promise.resolve([]) })).toBeNull();
  });

  test('that the stream has no node leaves it open whether a live process that does not answer has it', async () => {
    const findIdleRow = () => Promise.resolve({ url: null });
    const holds = (url: string) =>
      url === 'http://frozen' ? Promise.reject(new Error('late')) : Promise.resolve(false);
    const findLocalUrls = () => Promise.resolve(['http://frozen', localUrl]);
    await expect(locate({ findRow: findIdleRow, findLocalUrls, holds })).rejects.toThrow('late');
    await expect(
      locate({ findRow: findIdleRow, findLocalUrls: () => Promise.reject(new Error('no file')) }),
    ).rejects.toThrow('no file');
  });

  test('that the stream has no node is corrected by one of several live processes, even if another one fails', async () => {
    const holds = (url: string) =>
      url === 'http://frozen' ? Promise.reject(new Error('gone')) : Promise.resolve(url === localUrl);
    const findLocalUrls = () => Promise.resolve(['http://frozen', 'http://second', localUrl]);
    expect(await locate({ findRow: () => Promise.resolve({ url: null }), findLocalUrls, holds })).toBe(
      localUrl,
    );
    expect(await locate({ findRow: noDatabase, findLocalUrls, holds })).toBe(localUrl);
  });
});

describe('a database that is unavailable', () => {
  test('leaves the answer to the live process on this machine', async () => {
    expect(await locate({ findRow: noDatabase })).toBe(localUrl);
  });

  test('or frozen leaves the answer to the live process', async () => {
    expect(await locate({ findRow: () => new Promise(() => undefined) })).toBe(localUrl);
  });

  test('leaves it open whether another node has the stream', async () => {
    await expect(locate({ findRow: noDatabase, holds: () => Promise.resolve(false) })).rejects.toThrow();
    await expect(locate({ findRow: noDatabase, findLocalUrls: () => Promise.resolve([]) })).rejects.toThrow();
  });
});

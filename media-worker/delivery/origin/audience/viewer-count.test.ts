import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ViewerCount, type ViewerLimits, type ViewerSample } from './viewer-count';

const [firstId, otherId] = ['abcd1234efgh5678', 'otherotherother1'];

function openCount(limits: Partial<ViewerLimits> = {}) {
  const clock = { ms: 0, monotonic: () => clock.ms };
  const batches: ViewerSample[][] = [];
  let isBroken = false;
  const count = new ViewerCount(
    clock,
    (samples) => {
      if (isBroken) return Promise.reject(new Error('away'));
      batches.push([...samples]);
      return Promise.resolve();
    },
    limits,
  );
  /**
   * Advances the clock and takes a sample.
   * @returns the samples that were written since the last call
   */
  const sampleAfter = async (ms = 5_000) => {
    clock.ms += ms;
    count.sample();
    const countBefore = batches.length;
    await count.flush();
    return batches.slice(countBefore).flat();
  };
  return { clock, count, batches, sampleAfter, setBroken: (value: boolean) => (isBroken = value) };
}

describe('counting', () => {
  test('each playback is one view and one viewer, however many requests it sends', async () => {
    const { count, sampleAfter } = openCount();
    for (let request = 0; request < 10; request++) count.recordPlaylist(firstId, 'a');
    count.recordPlaylist(firstId, 'b');
    count.recordPlaylist(otherId, 'a');
    expect(await sampleAfter()).toEqual([
      { playbackId: firstId, viewers: 2, viewerSeconds: 10, views: 2, ageMs: 0 },
      { playbackId: otherId, viewers: 1, viewerSeconds: 5, views: 1, ageMs: 0 },
    ]);
    expect(await sampleAfter()).toMatchObject([
      { viewers: 2, views: 0 },
      { viewers: 1, views: 0 },
    ]);
  });

  test('a viewer without a request for twenty seconds has left, which is reported once', async () => {
    const { count, sampleAfter } = openCount();
    count.recordPlaylist(firstId, 'a');
    for (let second = 5; second <= 20; second += 5)
      expect(await sampleAfter()).toMatchObject([{ viewers: 1 }]);
    expect(await sampleAfter()).toMatchObject([{ viewers: 0, viewerSeconds: 0 }]);
    expect(await sampleAfter()).toEqual([]);
  });

  test('a viewer who returns within half an hour is the same view, and a new view afterwards', async () => {
    const { count, sampleAfter } = openCount();
    count.recordPlaylist(firstId, 'a');
    await sampleAfter();
    await sampleAfter(1_700_000);
    count.recordPlaylist(firstId, 'a');
    expect(await sampleAfter()).toMatchObject([{ viewers: 1, views: 0 }]);
    await sampleAfter(1_801_000);
    await sampleAfter();
    count.recordPlaylist(firstId, 'a');
    expect(await sampleAfter()).toMatchObject([{ viewers: 1, views: 1 }]);
  });

  test('a viewer of a blocking request is present, but presence alone is not a view', async () => {
    const { count, sampleAfter } = openCount();
    expect(count.touch(firstId, 'a')).toBe(false);
    expect(await sampleAfter()).toEqual([]);
    count.recordPlaylist(firstId, 'a');
    for (let wait = 0; wait < 10; wait++) {
      await sampleAfter(15_000);
      expect(count.touch(firstId, 'a')).toBe(true);
    }
    expect(await sampleAfter()).toMatchObject([{ viewers: 1, views: 0 }]);
  });
});

describe('a playback whose origin is gone', () => {
  test('is a viewer but not a view, beside those of this origin', async () => {
    const { count, sampleAfter } = openCount();
    count.recordPlaylist(firstId, 'a');
    count.adopt(firstId, 'b');
    count.adopt(otherId, 'c');
    expect(count.hasAdopted).toBe(true);
    expect(await sampleAfter()).toEqual([
      { playbackId: firstId, viewers: 2, viewerSeconds: 10, views: 1, ageMs: 0 },
      { playbackId: otherId, viewers: 1, viewerSeconds: 5, views: 0, ageMs: 0 },
    ]);
  });

  test('counts for as long as it is active', async () => {
    const { count, sampleAfter } = openCount();
    for (let index = 0; index < 6; index++) {
      count.adopt(firstId, 'b');
      expect(await sampleAfter()).toMatchObject([{ viewers: 1, views: 0 }]);
    }
    await sampleAfter(15_000);
    expect(await sampleAfter()).toMatchObject([{ viewers: 0 }]);
    expect([count.hasAdopted, await sampleAfter()]).toEqual([false, []]);
  });

  test('no longer counts here when another origin counts it', async () => {
    const { count, sampleAfter } = openCount();
    for (const playback of ['b', 'c']) count.adopt(firstId, playback);
    count.retainAdopted((playback) => playback === 'c');
    expect(await sampleAfter()).toMatchObject([{ viewers: 1 }]);
    count.retainAdopted(() => false);
    expect(await sampleAfter()).toMatchObject([{ viewers: 0, views: 0 }]);
    expect(count.hasAdopted).toBe(false);
  });
});

describe('limits', () => {
  test('adopted playbacks count towards the limit', async () => {
    const { count, sampleAfter } = openCount({ maxPlaybacks: 3 });
    count.recordPlaylist(firstId, 'a');
    for (const playback of ['b', 'c', 'd', 'b']) count.adopt(firstId, playback);
    count.recordPlaylist(firstId, 'e');
    expect(await sampleAfter()).toMatchObject([{ viewers: 3, views: 1 }]);
  });

  test('playbacks beyond the limit are not counted until others expire', async () => {
    const { count, sampleAfter } = openCount({ maxPlaybacks: 100 });
    for (let n = 0; n < 1_000; n++) count.recordPlaylist(n % 2 === 0 ? firstId : otherId, `p${n}`);
    const samples = await sampleAfter();
    expect(samples.reduce((sum, { views }) => sum + views, 0)).toBe(100);
    await sampleAfter(1_801_000);
    count.recordPlaylist(firstId, 'new');
    expect(await sampleAfter()).toMatchObject([{ viewers: 1, views: 1 }]);
  });

  test('a database outage loses the oldest samples beyond the limit', async () => {
    const { count, batches, sampleAfter, setBroken, clock } = openCount({ maxPendingSamples: 3 });
    count.recordPlaylist(firstId, 'a');
    setBroken(true);
    for (let failures = 0; failures < 5; failures++) {
      await expect(sampleAfter()).rejects.toThrow('away');
      count.touch(firstId, 'a');
    }
    setBroken(false);
    clock.ms += 1_000;
    await count.flush();
    // The last three of five samples.
    expect(batches.flat().map(({ ageMs }) => ageMs)).toEqual([11_000, 6_000, 1_000]);
    expect(await sampleAfter(4_000)).toMatchObject([{ viewers: 1 }]);
  });

  test('a delayed sample is written with its age', async () => {
    const { count, sampleAfter, setBroken } = openCount();
    count.recordPlaylist(firstId, 'a');
    setBroken(true);
    await expect(sampleAfter()).rejects.toThrow('away');
    setBroken(false);
    expect((await sampleAfter()).map(({ ageMs }) => ageMs)).toEqual([5_000, 0]);
  });
});

test('the number of views is the number of distinct playbacks, in any order of requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(firstId, otherId), fc.nat(20)), { maxLength: 200 }),
      async (requests) => {
        const { count, sampleAfter } = openCount();
        let views = 0;
        for (const [index, [id, viewer]] of requests.entries()) {
          count.recordPlaylist(id, `p${viewer}`);
          if (index % 7 === 0) views += (await sampleAfter()).reduce((sum, sample) => sum + sample.views, 0);
        }
        views += (await sampleAfter()).reduce((sum, sample) => sum + sample.views, 0);
        expect(views).toBe(new Set(requests.map(([id, viewer]) => `${id} ${viewer}`)).size);
      },
    ),
    { numRuns: 50 },
  );
});

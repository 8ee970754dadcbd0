import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ViewerCount, type ViewerLimits, type ViewerSample } from './viewer-count';

const [one, other] = ['abcd1234efgh5678', 'otherotherother1'];

function open(limits: Partial<ViewerLimits> = {}) {
  const clock = { ms: 0, monotonic: () => clock.ms };
  const written: ViewerSample[][] = [];
  let broken = false;
  const count = new ViewerCount(
    clock,
    (samples) => {
      if (broken) return Promise.reject(new Error('away'));
      written.push([...samples]);
      return Promise.resolve();
    },
    limits,
  );
  /** Five seconds pass; what was written by then. */
  const turn = async (ms = 5_000) => {
    clock.ms += ms;
    count.sample();
    const before = written.length;
    await count.flush();
    return written.slice(before).flat();
  };
  return { clock, count, turn, written, breakIt: (now: boolean) => (broken = now) };
}

describe('counting', () => {
  test('each playback is one view and one viewer, however often it asks', async () => {
    const { count, turn } = open();
    for (let request = 0; request < 10; request++) count.saw(one, 'a');
    count.saw(one, 'b');
    count.saw(other, 'a');
    expect(await turn()).toEqual([
      { playbackId: one, viewers: 2, viewerSeconds: 10, views: 2, ageMs: 0 },
      { playbackId: other, viewers: 1, viewerSeconds: 5, views: 1, ageMs: 0 },
    ]);
    expect(await turn()).toMatchObject([
      { viewers: 2, views: 0 },
      { viewers: 1, views: 0 },
    ]);
  });

  test('who asks for nothing for twenty seconds has left; that is told once', async () => {
    const { count, turn } = open();
    count.saw(one, 'a');
    for (let second = 5; second <= 20; second += 5) expect(await turn()).toMatchObject([{ viewers: 1 }]);
    expect(await turn()).toMatchObject([{ viewers: 0, viewerSeconds: 0 }]);
    expect(await turn()).toEqual([]);
  });

  test('who comes back within half an hour is the same view, and a new one afterwards', async () => {
    const { count, turn } = open();
    count.saw(one, 'a');
    await turn();
    await turn(1_700_000);
    count.saw(one, 'a');
    expect(await turn()).toMatchObject([{ viewers: 1, views: 0 }]);
    await turn(1_801_000);
    await turn();
    count.saw(one, 'a');
    expect(await turn()).toMatchObject([{ viewers: 1, views: 1 }]);
  });

  test('who waits for the next part is there; a touch alone makes no view', async () => {
    const { count, turn } = open();
    expect(count.touch(one, 'a')).toBe(false);
    expect(await turn()).toEqual([]);
    count.saw(one, 'a');
    for (let wait = 0; wait < 10; wait++) {
      await turn(15_000);
      expect(count.touch(one, 'a')).toBe(true);
    }
    expect(await turn()).toMatchObject([{ viewers: 1, views: 0 }]);
  });
});

describe('a playback whose origin is gone', () => {
  test('is a viewer and no view, beside those of this origin', async () => {
    const { count, turn } = open();
    count.saw(one, 'a');
    count.adopt(one, 'b');
    count.adopt(other, 'c');
    expect(count.adopting).toBe(true);
    expect(await turn()).toEqual([
      { playbackId: one, viewers: 2, viewerSeconds: 10, views: 1, ageMs: 0 },
      { playbackId: other, viewers: 1, viewerSeconds: 5, views: 0, ageMs: 0 },
    ]);
  });

  test('counts for as long as it is seen', async () => {
    const { count, turn } = open();
    for (let seen = 0; seen < 6; seen++) {
      count.adopt(one, 'b');
      expect(await turn()).toMatchObject([{ viewers: 1, views: 0 }]);
    }
    await turn(15_000);
    expect(await turn()).toMatchObject([{ viewers: 0 }]);
    expect([count.adopting, await turn()]).toEqual([false, []]);
  });

  test('no longer counts here when another origin counts it', async () => {
    const { count, turn } = open();
    for (const playback of ['b', 'c']) count.adopt(one, playback);
    count.keepAdopted((playback) => playback === 'c');
    expect(await turn()).toMatchObject([{ viewers: 1 }]);
    count.keepAdopted(() => false);
    expect(await turn()).toMatchObject([{ viewers: 0, views: 0 }]);
    expect(count.adopting).toBe(false);
  });
});

describe('bounds', () => {
  test('those of origins that are gone count toward them', async () => {
    const { count, turn } = open({ maxPlaybacks: 3 });
    count.saw(one, 'a');
    for (const playback of ['b', 'c', 'd', 'b']) count.adopt(one, playback);
    count.saw(one, 'e');
    expect(await turn()).toMatchObject([{ viewers: 3, views: 1 }]);
  });

  test('more playbacks than agreed are not counted, until others are forgotten', async () => {
    const { count, turn } = open({ maxPlaybacks: 100 });
    for (let n = 0; n < 1_000; n++) count.saw(n % 2 === 0 ? one : other, `p${n}`);
    const samples = await turn();
    expect(samples.reduce((sum, { views }) => sum + views, 0)).toBe(100);
    await turn(1_801_000);
    count.saw(one, 'new');
    expect(await turn()).toMatchObject([{ viewers: 1, views: 1 }]);
  });

  test('a database that is away loses nothing but the oldest', async () => {
    const { count, turn, breakIt, clock } = open({ maxWaiting: 3 });
    count.saw(one, 'a');
    breakIt(true);
    for (let failures = 0; failures < 5; failures++) {
      await expect(turn()).rejects.toThrow('away');
      count.touch(one, 'a');
    }
    breakIt(false);
    clock.ms += 1_000;
    await count.flush();
    expect(await turn(4_000)).toMatchObject([{ viewers: 1 }]);
  });

  test('what was not written is written with its age', async () => {
    const { count, turn, breakIt } = open();
    count.saw(one, 'a');
    breakIt(true);
    await expect(turn()).rejects.toThrow('away');
    breakIt(false);
    expect((await turn()).map(({ ageMs }) => ageMs)).toEqual([5_000, 0]);
  });
});

test('views are the distinct playbacks, whatever the order of requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(one, other), fc.nat(20)), { maxLength: 200 }),
      async (asked) => {
        const { count, turn } = open();
        let views = 0;
        for (const [index, [id, who]] of asked.entries()) {
          count.saw(id, `p${who}`);
          if (index % 7 === 0) views += (await turn()).reduce((sum, sample) => sum + sample.views, 0);
        }
        views += (await turn()).reduce((sum, sample) => sum + sample.views, 0);
        expect(views).toBe(new Set(asked.map(([id, who]) => `${id} ${who}`)).size);
      },
    ),
    { numRuns: 50 },
  );
});

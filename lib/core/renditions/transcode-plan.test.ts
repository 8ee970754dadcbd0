import { describe, expect, it } from 'vitest';
import { createLadder } from './ladder';
import { type TranscodeInput, planTranscode, transcodeCost, withoutCostliest } from './transcode-plan';

const source = { width: 1920, height: 1080, fps: 30 };
const profilesOf = (...heights: number[]) =>
  heights.map((height) => ({
    name: `${height}p`,
    width: Math.round((height * 16) / 9),
    height,
    bitrate: 1_000_000,
    fps: 0,
  }));
const renditions = (...heights: number[]) => createLadder(profilesOf(...heights), source).renditions;
const cost = (...heights: number[]) => transcodeCost(renditions(...heights), source);

describe('cost of transcoding', () => {
  it('is zero without renditions', () => {
    expect(transcodeCost([], source)).toBe(0);
  });

  it.each([
    [360, 0.16],
    [480, 0.21],
    [720, 0.36],
    [1080, 0.77],
  ])('of %dp30 is near the measured %d cores, plus the cost of decoding', (height, cores) => {
    const decoding = (1920 * 1080 * 30) / 500_000_000;
    expect(Math.abs(cost(height) - decoding - cores)).toBeLessThan(0.05);
  });

  it('decodes once for all renditions', () => {
    expect(cost(720, 360)).toBeLessThan(cost(720) + cost(360));
    expect(cost(720, 360)).toBeGreaterThan(cost(720));
  });

  it('grows with the frame rate', () => {
    const halfRate = renditions(720).map((rendition) => ({ ...rendition, fps: 15 }));
    expect(transcodeCost(halfRate, source)).toBeLessThan(cost(720));
    expect(transcodeCost(renditions(720), { ...source, fps: undefined })).toBeCloseTo(cost(720));
  });
});

describe('dropping a rendition', () => {
  const names = (plannedRenditions: ReturnType<typeof renditions>) =>
    plannedRenditions.map(({ name }) => name);

  it('drops the costliest rendition, at any position in the list', () => {
    expect(names(withoutCostliest(renditions(360, 1080, 720), source))).toEqual(['360p', '720p']);
    expect(names(withoutCostliest(renditions(360), source))).toEqual([]);
    expect(withoutCostliest([], source)).toEqual([]);
  });

  it('keeps a protected rendition', () => {
    const [large, small] = [renditions(720), renditions(360)];
    expect(withoutCostliest([...large, ...small], source, large)).toEqual(large);
    expect(withoutCostliest(large, source, large)).toEqual(large);
  });

  it('drops one of two equal renditions', () => {
    expect(names(withoutCostliest([...renditions(360), ...renditions(360)], source))).toEqual(['360p']);
  });
});

const profiles = [1080, 720, 360].map((height) => ({
  name: `${height}p`,
  width: (height * 16) / 9,
  height,
  bitrate: 1_000_000,
  fps: 0,
}));
const hd = { width: 1280, height: 720, fps: 30 };
const plan = (input: Partial<TranscodeInput> = {}) =>
  planTranscode({ profiles, source: hd, droppedRenditionCount: 0, freeCores: Infinity, ...input });
const plannedNames = (input?: Partial<TranscodeInput>) => plan(input).renditions.map(({ name }) => name);

const skippedMessage = 'rendition "1080p" (1920x1080) is left out: the source is only 1280x720';

describe('transcode plan', () => {
  it('is empty without profiles, and has no issues', () => {
    expect(plan({ profiles: [], source: null })).toEqual({ renditions: [], issues: [], cost: 0 });
  });

  it('is empty without video, with an issue', () => {
    expect(plan({ source: null })).toEqual({
      renditions: [],
      issues: ['renditions need video; the encoder sends only audio'],
      cost: 0,
    });
  });

  it('has all renditions up to the size of the source', () => {
    expect(plannedNames()).toEqual(['720p', '360p']);
    expect(plan().issues).toEqual([skippedMessage]);
    expect(plan().cost).toBeGreaterThan(0.5);
  });

  it('leaves out renditions that overloaded the machine, costliest first', () => {
    expect(plannedNames({ droppedRenditionCount: 1 })).toEqual(['360p']);
    expect(plan({ droppedRenditionCount: 1 }).issues).toEqual([
      skippedMessage,
      'rendition "720p" is paused: this machine is too slow for it; it will be retried later',
    ]);
    expect(plannedNames({ droppedRenditionCount: 2 })).toEqual([]);
    expect(plan({ droppedRenditionCount: 9 })).toMatchObject({ renditions: [], cost: 0 });
  });

  it('leaves out renditions above the quota', () => {
    expect(plannedNames({ maxRenditions: 2 })).toEqual(['720p', '360p']);
    expect(plannedNames({ maxRenditions: 1 })).toEqual(['360p']);
    expect(plan({ maxRenditions: 1 }).issues.at(-1)).toBe(
      'rendition "720p" is left out: the quota allows 1 of them for one stream',
    );
    expect(plannedNames({ maxRenditions: 0 })).toEqual([]);
  });

  it('fits into the cores that other streams leave', () => {
    expect(plannedNames({ freeCores: 0.4 })).toEqual(['360p']);
    expect(plan({ freeCores: 0.4 }).issues).toEqual([
      skippedMessage,
      'rendition "720p" is paused: other streams use the transcoding capacity; it will be retried later',
    ]);
    expect(plannedNames({ freeCores: 0.05 })).toEqual([]);
    expect(plan({ freeCores: 0.05 }).cost).toBe(0);
  });

  describe('with other streams', () => {
    const allRenditions = plan().renditions;
    const [large, small] = [allRenditions.slice(0, 1), allRenditions.slice(1)];

    it('keeps running renditions even if other streams leave no cores', () => {
      expect(plannedNames({ freeCores: -1, running: allRenditions })).toEqual(['720p', '360p']);
      expect(plannedNames({ freeCores: -1, running: small })).toEqual(['360p']);
    });

    it('drops a new rendition before a larger running one', () => {
      expect(plannedNames({ freeCores: 0.5, running: large })).toEqual(['720p']);
      expect(plan({ freeCores: 0.5, running: large }).issues.join()).toContain('"360p" is paused');
    });

    it('adds the missing renditions when cores are free again', () =>
      expect(plannedNames({ freeCores: 2, running: small })).toEqual(['720p', '360p']));

    it('drops running renditions that overload the machine', () =>
      expect(plannedNames({ freeCores: -1, running: allRenditions, droppedRenditionCount: 1 })).toEqual([
        '360p',
      ]));

    it('does not protect a rendition whose settings changed', () => {
      const changedRenditions = allRenditions.map((rendition) => ({ ...rendition, bitrate: 1 }));
      expect(plannedNames({ freeCores: 0, running: changedRenditions })).toEqual([]);
    });
  });

  it('has the cost of the remaining renditions', () => {
    expect(plan({ droppedRenditionCount: 1 }).cost).toBeLessThan(plan().cost);
  });
});

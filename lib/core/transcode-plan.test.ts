import { describe, expect, it } from 'vitest';
import { planTranscode, type TranscodeQuestion } from './transcode-plan';

const profiles = [1080, 720, 360].map((height) => ({
  name: `${height}p`,
  width: (height * 16) / 9,
  height,
  bitrate: 1_000_000,
  fps: 0,
}));
const hd = { width: 1280, height: 720, fps: 30 };
const plan = (question: Partial<TranscodeQuestion> = {}) =>
  planTranscode({ profiles, source: hd, givenUp: 0, freeCores: Infinity, ...question });
const made = (question?: Partial<TranscodeQuestion>) => plan(question).renditions.map(({ name }) => name);

const skipped = 'rendition "1080p" (1920x1080) is left out: the source is only 1280x720';

describe('the plan of a transcoder', () => {
  it('is nothing without profiles, and has nothing to say then', () => {
    expect(plan({ profiles: [], source: null })).toEqual({ renditions: [], issues: [], cost: 0 });
  });

  it('is nothing without a picture, and says so', () => {
    expect(plan({ source: null })).toEqual({
      renditions: [],
      issues: ['renditions need video; the encoder sends only audio'],
      cost: 0,
    });
  });

  it('is all renditions that are not above the source', () => {
    expect(made()).toEqual(['720p', '360p']);
    expect(plan().issues).toEqual([skipped]);
    expect(plan().cost).toBeGreaterThan(0.5);
  });

  it('leaves out what proved to be too much, from the top', () => {
    expect(made({ givenUp: 1 })).toEqual(['360p']);
    expect(plan({ givenUp: 1 }).issues).toEqual([
      skipped,
      'rendition "720p" is paused: this machine is too slow for it; it will be retried later',
    ]);
    expect(made({ givenUp: 2 })).toEqual([]);
    expect(plan({ givenUp: 9 })).toMatchObject({ renditions: [], cost: 0 });
  });

  it('keeps within what other streams leave', () => {
    expect(made({ freeCores: 0.4 })).toEqual(['360p']);
    expect(plan({ freeCores: 0.4 }).issues).toEqual([
      skipped,
      'rendition "720p" is paused: other streams use the transcoding capacity; it will be retried later',
    ]);
    expect(made({ freeCores: 0.05 })).toEqual([]);
    expect(plan({ freeCores: 0.05 }).cost).toBe(0);
  });

  it('costs what is left', () => {
    expect(plan({ givenUp: 1 }).cost).toBeLessThan(plan().cost);
  });
});

import { describe, expect, it } from 'vitest';
import { ladderOf } from './ladder';
import { transcodeCost, withoutCostliest } from './transcode-cost';

const source = { width: 1920, height: 1080, fps: 30 };
const wanted = (...heights: number[]) =>
  heights.map((height) => ({
    name: `${height}p`,
    width: Math.round((height * 16) / 9),
    height,
    bitrate: 1_000_000,
    fps: 0,
  }));
const renditions = (...heights: number[]) => ladderOf(wanted(...heights), source).renditions;
const cost = (...heights: number[]) => transcodeCost(renditions(...heights), source);

describe('the cost of transcoding', () => {
  it('is that of nothing for nothing', () => {
    expect(transcodeCost([], source)).toBe(0);
  });

  it.each([
    [360, 0.16],
    [480, 0.21],
    [720, 0.36],
    [1080, 0.77],
  ])('of %dp30 is near what was measured', (height, cores) => {
    const decoding = (1920 * 1080 * 30) / 500_000_000;
    expect(Math.abs(cost(height) - decoding - cores)).toBeLessThan(0.05);
  });

  it('decodes once for all renditions', () => {
    expect(cost(720, 360)).toBeLessThan(cost(720) + cost(360));
    expect(cost(720, 360)).toBeGreaterThan(cost(720));
  });

  it('grows with the frames', () => {
    const halved = renditions(720).map((rendition) => ({ ...rendition, fps: 15 }));
    expect(transcodeCost(halved, source)).toBeLessThan(cost(720));
    expect(transcodeCost(renditions(720), { ...source, fps: undefined })).toBeCloseTo(cost(720));
  });
});

describe('giving up the top rendition', () => {
  const names = (made: ReturnType<typeof renditions>) => made.map(({ name }) => name);

  it('takes the costliest away, wherever it is in the list', () => {
    expect(names(withoutCostliest(renditions(360, 1080, 720), source))).toEqual(['360p', '720p']);
    expect(names(withoutCostliest(renditions(360), source))).toEqual([]);
    expect(withoutCostliest([], source)).toEqual([]);
  });

  it('takes one of two alike', () => {
    expect(names(withoutCostliest([...renditions(360), ...renditions(360)], source))).toEqual(['360p']);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { removeCoveredProfiles } from './covered-profiles';

const source = { width: 1_920, height: 1_080, fps: 30 };
const createProfile = (height: number) => ({
  name: `${height}p`,
  width: Math.round((height * 16) / 9),
  height,
  bitrate: 1_000_000,
  fps: 0,
});
const namesOf = (heights: readonly number[], layers: readonly number[], required: readonly string[] = []) =>
  removeCoveredProfiles(heights.map(createProfile), {
    source,
    layers: layers.map((height) => ({ height })),
    required,
  }).map(({ name }) => name);

describe('the profiles that are transcoded', () => {
  test('are those without a layer of about the same height', () => {
    expect(namesOf([720, 480, 360], [712, 356])).toEqual(['480p']);
    expect(namesOf([720, 480, 360], [540, 270])).toEqual(['720p', '360p']);
    expect(namesOf([720, 480, 360], [])).toEqual(['720p', '480p', '360p']);
  });

  test('include those that a target or a recording refers to', () => {
    expect(namesOf([720, 360], [720, 360], ['360p'])).toEqual(['360p']);
  });

  test('include those that are larger than the source, so that their issue is reported', () => {
    expect(namesOf([1_440], [1_440])).toEqual(['1440p']);
  });

  test('are all of them for an encoder without video', () => {
    const profiles = [createProfile(360)];
    expect(removeCoveredProfiles(profiles, { source: null, layers: [{ height: 360 }], required: [] })).toBe(
      profiles,
    );
  });

  test('are with more layers a part of those with fewer, in the same order, and never lack a required one', () => {
    const heights = fc.uniqueArray(fc.integer({ min: 90, max: 1_080 }), { maxLength: 5 });
    fc.assert(
      fc.property(heights, heights, heights, (profiles, layers, moreLayers) => {
        const required = profiles.slice(0, 1).map((height) => `${height}p`);
        const names = namesOf(profiles, layers, required);
        const fewerNames = namesOf(profiles, [...layers, ...moreLayers], required);
        expect(names.filter((name) => fewerNames.includes(name))).toEqual(fewerNames);
        expect(fewerNames).toEqual(expect.arrayContaining(required));
      }),
    );
  });
});

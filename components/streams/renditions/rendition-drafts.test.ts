import { describe, expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import type { Profile } from '@/lib/contract/streams/profile';
import {
  draftOf,
  emptyDraft,
  assignIssues,
  presetDraft,
  parseDrafts,
  renditionPresets,
  type RenditionDraft,
} from './rendition-drafts';

const hd: Profile = { name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 30 };
const parse = (drafts: readonly RenditionDraft[], targetRenditions: readonly string[] = []) =>
  parseDrafts(englishMessages('streams.renditionDrafts'), drafts, targetRenditions, untranslated);
const errorsOf = (drafts: readonly RenditionDraft[], targetRenditions: readonly string[] = []) => {
  const result = parse(drafts, targetRenditions);
  return 'errors' in result ? result.errors : null;
};

describe('form values of renditions', () => {
  test('convert to a profile and back without a change', () => {
    const fullProfile: Profile = {
      ...hd,
      name: 'cinema',
      fps: 24,
      fpsDen: 1001,
      gop: '2.0',
      profile: 'H264High',
    };
    expect(parse([hd, fullProfile].map(draftOf))).toEqual({ profiles: [hd, fullProfile] });
    expect(parse([])).toEqual({ profiles: [] });
  });

  test('drop the denominator of the frame rate only when the frame rate changes', () => {
    const draft = { ...draftOf({ ...hd, fpsDen: 1001, gop: 'intra' }), fps: '25' };
    expect(parse([draft])).toEqual({ profiles: [{ ...hd, fps: 25, gop: 'intra' }] });
  });

  test.each([
    ['2500.5', 2_500_500],
    ['2500,5', 2_500_500],
    [' 0.4 ', 400],
  ])('%j kbit/s are %i bit/s', (kilobits, bitrate) =>
    expect(parse([{ ...draftOf(hd), kilobits }])).toEqual({ profiles: [{ ...hd, bitrate }] }),
  );

  test.each<[Partial<RenditionDraft>, string, string]>([
    [{ width: '127' }, 'width', 'Must be at least 128'],
    [{ height: '7681' }, 'height', 'Must be at most 7680'],
    [{ height: '720.5' }, 'height', 'Must be a whole number'],
    [{ width: '' }, 'width', 'Is required'],
    [{ width: 'wide' }, 'width', 'Must be a number'],
    [{ kilobits: '0.3' }, 'kilobits', 'Must be at least 0.4 kbit/s'],
    [{ kilobits: '100001' }, 'kilobits', 'Must be at most 100,000 kbit/s'],
    [{ fps: '241' }, 'fps', 'Must be at most 240'],
    [{ fps: '-1' }, 'fps', 'Must be at least 0'],
    [{ name: '-hd' }, 'name', 'Must be 1 to 64 letters'],
    [{ name: ' ' }, 'name', 'Must be 1 to 64 letters'],
    [{ name: 'Source' }, 'name', '“source” is what the encoder sends'],
    [{ name: '720p' }, 'name', 'Another rendition already has this name'],
  ])('%j is rejected at the field %s: %s', (change, field, message) => {
    const errors = errorsOf([draftOf(hd), { ...draftOf({ ...hd, name: '480p' }), ...change }]);
    expect(errors?.otherErrors).toEqual([]);
    expect(errors?.fields).toHaveLength(1);
    expect(errors?.fields[0]).toMatchObject({ renditionIndex: 1, field });
    expect(errors?.fields[0]?.message).toContain(message);
  });

  test('a new rendition lists all missing values', () => {
    expect(errorsOf([emptyDraft])?.fields.map(({ field }) => field)).toEqual([
      'name',
      'width',
      'height',
      'kilobits',
    ]);
  });

  test('more than ten renditions are rejected', () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ ...draftOf(hd), name: `r${index}` }));
    expect(errorsOf(many)?.otherErrors).toEqual(['Profiles: must have at most 10 items']);
  });

  test('a rendition that is sent to a target cannot be removed', () => {
    expect(errorsOf([draftOf(hd)], ['source', '480p', '480p'])).toEqual({
      fields: [],
      otherErrors: ['A target uses “480p”. Remove it from the target first.'],
    });
    expect(parse([draftOf(hd)], ['source', '720p'])).toEqual({ profiles: [hd] });
  });
});

test('all presets together are valid', () => {
  expect(renditionPresets.map(({ name, width }) => `${name} ${width}`)).toEqual([
    '1080p 1920',
    '720p 1280',
    '480p 854',
    '360p 640',
  ]);
  expect(parse(renditionPresets.map(presetDraft))).toEqual({ profiles: renditionPresets });
});

test('issues of the service are assigned to the fields of the form', () => {
  const issues = [
    { field: 'profiles[1].bitrate', message: 'must be at least 400' },
    'multistream target profile not found: "x"',
  ];
  expect(assignIssues(issues)).toEqual({
    fields: [{ renditionIndex: 1, field: 'kilobits', message: 'Must be at least 0.4 kbit/s' }],
    otherErrors: ['Multistream target profile not found: "x"'],
  });
});

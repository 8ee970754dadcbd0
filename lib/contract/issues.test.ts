import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '@/lib/core/errors';
import { parseInput } from './issues';
import { profile } from './streams/profile';

function errorMessages(schema: z.ZodType, input: unknown): readonly string[] {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (error instanceof AppError) return error.messages;
  }
  return [];
}

const valid = { name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 30 };

describe('parseInput for a profile', () => {
  test.each([
    {},
    { fps: 0 },
    { fpsDen: 1001 },
    { gop: '2.0' },
    { gop: 'intra' },
    { quality: 44 },
    { encoder: 'H.264' },
    { name: 'Höhe 720 (mobil)' },
  ])('accepts %j', (change) => {
    expect(profile.parse({ ...valid, ...change })).toEqual({ ...valid, ...change });
  });

  test.each<[object, string]>([
    [{ width: 127 }, 'width: must be at least 128'],
    [{ height: 100_000 }, 'height: must be at most 7680'],
    [{ bitrate: 399 }, 'bitrate: must be at least 400'],
    [{ fps: -1 }, 'fps: must be at least 0'],
    [{ fps: 29.97 }, 'fps: must be a whole number'],
    [{ width: '1280' }, 'width: must be a number'],
    [
      { name: '' },
      'name: must be 1 to 64 letters, digits, spaces or . _ : + @ ( ) -, starting with a letter or digit',
    ],
    [
      { name: '../../etc' },
      'name: must be 1 to 64 letters, digits, spaces or . _ : + @ ( ) -, starting with a letter or digit',
    ],
    [
      { name: 'a"b' },
      'name: must be 1 to 64 letters, digits, spaces or . _ : + @ ( ) -, starting with a letter or digit',
    ],
    [{ gop: '2s' }, 'gop: must be seconds, for example "2.0", or "0" or "intra"'],
    [
      { profile: 'HEVC' },
      'profile: must be one of "H264Baseline", "H264Main", "H264High", "H264ConstrainedHigh"',
    ],
    [{ encoder: 'VP9' }, 'encoder: must be "H.264"'],
    [{ extra: 1 }, 'extra: unknown field'],
  ])('rejects %j', (change, message) => {
    expect(errorMessages(profile, { ...valid, ...change })).toEqual([message]);
  });
});

test.each<[string, z.ZodType, unknown]>([
  ['a[1].b: is required', z.object({ a: z.array(z.object({ b: z.string() })) }), { a: [{ b: 'x' }, {}] }],
  ['a: must be a UUID', z.object({ a: z.uuid() }), { a: 'x' }],
  ['a: must be true or false', z.object({ a: z.boolean() }), { a: null }],
  ['a: must have at most 1 items', z.object({ a: z.array(z.string()).max(1) }), { a: ['x', 'y'] }],
  // Names of unknown fields are cut off at 100 characters.
  [`${'k'.repeat(100)}: unknown field`, z.strictObject({}), { ['k'.repeat(500)]: 1 }],
  ['must be an object', z.object({}), []],
])('parseInput rejects input with the message “%s”', (message, schema, input) => {
  expect(errorMessages(schema, input)).toEqual([message]);
});

test('parseInput returns at most 20 issues', () => {
  const input = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${String(index)}`, 1]));
  expect(errorMessages(z.strictObject({}), input)).toHaveLength(20);
});

test('parseInput returns issues with the path of their field', () => {
  const schema = z.strictObject({ profiles: z.array(z.object({ width: z.number().min(128) })) });
  const issuesOf = (input: unknown) => {
    try {
      return parseInput(schema, input);
    } catch (error) {
      return error instanceof AppError ? error.issues : error;
    }
  };
  expect(issuesOf({ profiles: [{ width: 1 }], x: 1 })).toEqual([
    { field: 'profiles[0].width', message: 'must be at least 128' },
    { field: 'x', message: 'unknown field' },
  ]);
  expect(issuesOf('text')).toEqual(['must be an object']);
});

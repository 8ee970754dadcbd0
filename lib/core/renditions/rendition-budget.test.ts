import { describe, expect, it, test } from 'vitest';
import {
  bytesToEvict,
  renditionPriority,
  renditionSlots,
  renditionThreads,
  renditionWaitMs,
  canEncodeSegment,
} from './rendition-budget';

describe('renditionSlots', () => {
  it.each([
    // cores, busyCores, transcodeCores, slots
    [2, 0, 1.5, 1],
    [2, 1.4, 1.5, 1],
    [2, 1.6, 1.5, 0],
    [8, 0, 6, 6],
    [8, 5.5, 6, 2],
    [8, 8, 6, 0],
    [4, 0, 0.1, 1],
  ])(
    'with %d cores, of which %d are busy and %d are for transcoding, are %d',
    (cores, busyCores, transcodeCores, slots) => {
      expect(renditionSlots({ cores, busyCores, transcodeCores })).toBe(slots);
    },
  );
});

describe('renditionThreads', () => {
  it.each([
    // cores, busyCores, transcodeCores, running, threads
    [2, 0, 1.5, 1, 2],
    [2, 0.4, 1.5, 1, 2],
    [2, 0.6, 1.5, 1, 1],
    [2, 1.9, 1.5, 1, 1],
    [2, 0, 1, 1, 1],
    [8, 0, 6, 1, 6],
    [8, 0, 6, 2, 3],
    [8, 0, 6, 6, 1],
    [8, 9, 6, 1, 1],
  ])(
    'with %d cores (%d busy, %d for transcoding) and %d encoders are %d',
    (cores, busyCores, transcodeCores, running, threads) => {
      expect(renditionThreads({ cores, busyCores, transcodeCores }, running)).toBe(threads);
    },
  );
});

describe('bytesToEvict', () => {
  it.each([
    // Above the budget, files are evicted until 90 % of it are used.
    [0, 100, 0],
    [100, 100, 0],
    [101, 100, 11],
    [500, 100, 410],
    [5, 0, 5],
  ])('of %d stored bytes with a budget of %d is %d', (storedBytes, budget, bytes) => {
    expect(bytesToEvict(storedBytes, budget)).toBe(bytes);
  });
});

describe('renditionWaitMs', () => {
  it('is the duration of the segment, but at least 2 and at most 6 s', () => {
    expect([0.5, 4, 6, 20].map(renditionWaitMs)).toEqual([2_000, 4_000, 6_000, 6_000]);
  });
});

// The first two files have no priority number and run before all others. Then the number rises with each file, up to 9.
test.each([
  [0, undefined],
  [1, undefined],
  [2, 2],
  [15, 9],
])('a job for an IP address that waits for %d files has the priority %s', (waiting, priority) => {
  expect(renditionPriority(waiting)).toBe(priority);
});

// Segments of up to 20 s are encoded on demand, and longer ones of up to 301 s with at most 600 frames.
test.each([
  { seconds: 20, frameRate: 60, expected: true },
  { seconds: 20, frameRate: undefined, expected: true },
  { seconds: 50, frameRate: 5, expected: true },
  { seconds: 25, frameRate: 30, expected: false },
  { seconds: 50, frameRate: undefined, expected: false },
  { seconds: 250, frameRate: 1, expected: true },
  { seconds: 302, frameRate: 1, expected: false },
])('$seconds s at $frameRate fps are encoded on demand: $expected', ({ seconds, frameRate, expected }) => {
  expect(canEncodeSegment(seconds, frameRate)).toBe(expected);
});

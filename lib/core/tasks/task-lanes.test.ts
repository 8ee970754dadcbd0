import { describe, expect, test } from 'vitest';
import { laneOf, laneSlots, slotsPerTeam, priorityOf, taskLaneOf, taskLanes } from './task-lanes';

test.each([
  ['import', { import: { url: 'https://files.example/a.mp4' } }, 'transfer'],
  ['import', { import: { uploadedObjectKey: 'directUpload/x/source' } }, 'local'],
  ['import', { import: { recordedSessionId: 'x' } }, 'local'],
  ['import', {}, 'local'],
  ['export', { export: { custom: { url: 'https://files.example/a.mp4' } } }, 'transfer'],
  ['transcode', { transcode: {} }, 'encode'],
])('%s %j waits in %s', (type, params, lane) => {
  expect(laneOf(type, params)).toBe(lane);
});

test('taskLaneOf accepts the lanes only', () => {
  for (const lane of taskLanes) expect(taskLaneOf(lane)).toBe(lane);
  expect(() => taskLaneOf('constructor')).toThrow('unknown task lane');
});

describe('slots', () => {
  test.each([1, 2, 4, 16])('with %d cores no team gets every slot of a lane with several slots', (cores) => {
    for (const [lane, places] of Object.entries(laneSlots(cores))) {
      const ownSlots = slotsPerTeam(places);
      expect(ownSlots).toBeGreaterThanOrEqual(1);
      expect(ownSlots).toBeLessThanOrEqual(5);
      if (places > 1) expect([lane, ownSlots]).toEqual([lane, Math.min(5, places - 1)]);
    }
  });
});

describe('priorityOf', () => {
  test('sorts the first task of each team first, then by least encoding', () => {
    const order = [
      { position: 1, used: 0 },
      { position: 1, used: 1e9 },
      { position: 1, used: 1.001e9 },
      { position: 1, used: 1e18 },
      { position: 2, used: 0 },
      { position: 5, used: 0 },
      { position: 5, used: 1e300 },
    ].map(priorityOf);
    expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
    expect(order[0]).toBe(1);
    // The maximum priority of BullMQ.
    expect(order.at(-1)).toBeLessThanOrEqual(2 ** 21);
  });
});

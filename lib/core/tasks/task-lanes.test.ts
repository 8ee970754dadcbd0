import { describe, expect, test } from 'vitest';
import {
  chooseTaskLane,
  laneSlots,
  slotsPerTeam,
  taskPriorityOf,
  parseTaskLane,
  taskLanes,
} from './task-lanes';

test.each([
  ['import', { import: { url: 'https://files.example/a.mp4' } }, 'transfer'],
  ['import', { import: { uploadedObjectKey: 'directUpload/x/source' } }, 'local'],
  ['import', { import: { recordedSessionId: 'x' } }, 'local'],
  ['import', {}, 'local'],
  ['export', { export: { custom: { url: 'https://files.example/a.mp4' } } }, 'transfer'],
  ['transcode', { transcode: {} }, 'encode'],
])('a task of type %s with %j waits in the lane %s', (type, params, lane) => {
  expect(chooseTaskLane(type, params)).toBe(lane);
});

test('parseTaskLane accepts only the names of lanes', () => {
  for (const lane of taskLanes) expect(parseTaskLane(lane)).toBe(lane);
  expect(() => parseTaskLane('constructor')).toThrow('unknown task lane');
});

describe('slots', () => {
  test.each([1, 2, 4, 16])(
    'on a machine with %d cores, no team gets every slot of a lane with several slots',
    (cores) => {
      for (const [lane, slots] of Object.entries(laneSlots(cores))) {
        const ownSlots = slotsPerTeam(slots);
        expect(ownSlots).toBeGreaterThanOrEqual(1);
        expect(ownSlots).toBeLessThanOrEqual(5);
        if (slots > 1) expect([lane, ownSlots]).toEqual([lane, Math.min(5, slots - 1)]);
      }
    },
  );
});

describe('taskPriorityOf', () => {
  test('puts the first task of each team first, then the team with the lowest usage', () => {
    const order = [
      { position: 1, recentUsage: 0 },
      { position: 1, recentUsage: 1e9 },
      { position: 1, recentUsage: 1.001e9 },
      { position: 1, recentUsage: 1e18 },
      { position: 2, recentUsage: 0 },
      { position: 5, recentUsage: 0 },
      { position: 5, recentUsage: 1e300 },
    ].map(taskPriorityOf);
    expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
    expect(order[0]).toBe(1);
    // The maximum priority of BullMQ.
    expect(order.at(-1)).toBeLessThanOrEqual(2 ** 21);
  });
});

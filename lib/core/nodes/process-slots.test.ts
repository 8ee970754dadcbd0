import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  defaultProcesses,
  countExtraProcesses,
  internalPortOffset,
  processNames,
  uploadSlotOf,
} from './process-slots';

test.each([
  [1, { web: 1, origin: 1, live: 1 }],
  [2, { web: 1, origin: 1, live: 1 }],
  [7, { web: 1, origin: 1, live: 1 }],
  [8, { web: 2, origin: 2, live: 2 }],
  [16, { web: 4, origin: 4, live: 4 }],
  [64, { web: 4, origin: 16, live: 16 }],
])('%i cores run the processes %j', (cores, processes) => {
  expect(defaultProcesses(cores)).toEqual(processes);
});

test('countExtraProcesses counts the processes beyond one of each role', () => {
  expect(countExtraProcesses({ web: 1, origin: 1, live: 1 })).toBe(0);
  expect(countExtraProcesses({ web: 4, origin: 2, live: 3 })).toBe(6);
});

test('the name of a process is its role, and its slot unless that is 1', () => {
  expect(processNames('live', 1)).toEqual(['live']);
  expect(processNames('live', 3)).toEqual(['live', 'live-2', 'live-3']);
});

test('one process of each role has the documented ports', () => {
  const counts = { web: 1, origin: 1, live: 1 };
  expect(internalPortOffset({ role: 'live', slot: 1 }, counts)).toBe(0);
  expect(internalPortOffset({ role: 'jobs', slot: 1 }, counts)).toBe(1);
});

test('internal ports are unique and consecutive', () => {
  const count = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(count, count, (live, origin) => {
      const slots = (role: 'live' | 'origin', processCount: number) =>
        Array.from({ length: processCount }, (_, index) => ({ role, slot: index + 1 }));
      const singleProcesses = [
        { role: 'jobs' as const, slot: 1 },
        { role: 'rtc' as const, slot: 1 },
      ];
      const processes = [...slots('live', live), ...slots('origin', origin), ...singleProcesses];
      const offsets = processes.map((item) => internalPortOffset(item, { web: 1, origin, live }));
      expect(offsets.sort((a, b) => a - b)).toEqual(processes.map((_, index) => index));
    }),
  );
});

test('all requests of an upload have the same slot, whatever follows its UUID', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 1, max: 20 }), (id, origins) => {
      const slot = uploadSlotOf(id, origins);
      expect(slot).toBeGreaterThanOrEqual(1);
      expect(slot).toBeLessThanOrEqual(origins);
      expect(uploadSlotOf(`${id}-0123456789abcdef`, origins)).toBe(slot);
    }),
  );
});

import { expect, test } from 'vitest';
import { cpuHeadroomRatio } from './cpu-headroom';
import { nodeStateOf, type NodeRole, type NodeState } from './node-state';

test.each<[NodeRole, number, boolean, NodeState]>([
  ['live', 0, false, 'online'],
  ['live', 10_000, false, 'online'],
  ['live', 10_001, false, 'unresponsive'],
  ['live', 0, true, 'draining'],
  ['live', 10_001, true, 'unresponsive'],
  ['origin', 15_000, false, 'online'],
  ['origin', 15_001, false, 'unresponsive'],
  ['jobs', 15_001, false, 'unresponsive'],
  // The clock of the database was set back.
  ['jobs', -5_000, false, 'online'],
])(
  'a node with the role %s that was silent for %i ms, draining: %s, is %s',
  (role, silentMs, draining, state) => expect(nodeStateOf({ role, silentMs, draining })).toBe(state),
);

test.each([
  ['half of two cores', { idleMs: 1_000, totalMs: 2_000 }, { idleMs: 2_000, totalMs: 4_000 }, 0.5],
  ['nothing', { idleMs: 1_000, totalMs: 2_000 }, { idleMs: 1_000, totalMs: 4_000 }, 0],
  ['everything', { idleMs: 0, totalMs: 0 }, { idleMs: 4_000, totalMs: 4_000 }, 1],
  ['a core that was switched on', { idleMs: 0, totalMs: 0 }, { idleMs: 10, totalMs: 4 }, 1],
  [
    'a core that was switched off',
    { idleMs: 4_000, totalMs: 8_000 },
    { idleMs: 2_000, totalMs: 4_000 },
    null,
  ],
  ['equal readings', { idleMs: 1, totalMs: 2 }, { idleMs: 1, totalMs: 2 }, null],
])('the CPU headroom between two readings is their idle fraction: %s', (_, before, after, ratio) =>
  expect(cpuHeadroomRatio(before, after)).toBe(ratio),
);

import { expect, test } from 'vitest';
import { checkReadiness, checkTarget, countReady } from './readiness-checks';

const stream = { lastSeen: 0, backup: false, slate: false, record: false, suspended: false };
const target = { id: 'a', disabled: false, reached: null };
const tested = (outcome: 'accepted' | 'publish_rejected') => ({ a: { outcome, message: '', at: 1 } });

test('a new stream has no encoder and no precautions, and is not asked to record', () => {
  const checks = checkReadiness(stream, [], {});
  expect(checks).toEqual({
    encoder: 'attention',
    targets: [],
    recording: 'off',
    encoderLoss: 'missing',
    audience: 'ready',
  });
  expect(countReady(checks)).toEqual({ ready: 1, of: 3 });
});

test('every check of a prepared stream is ready', () => {
  const prepared = { ...stream, lastSeen: 1, backup: true, slate: true, record: true };
  const checks = checkReadiness(prepared, [{ ...target, reached: true }], {});
  expect(new Set([...checks.targets, checks.encoder, checks.recording, checks.encoderLoss])).toEqual(
    new Set(['ready']),
  );
  expect(countReady(checks)).toEqual({ ready: 5, of: 5 });
});

test.each([
  [{ backup: true }, 'encoderLoss', 'missing'],
  [{ slate: true }, 'encoderLoss', 'missing'],
  [{ suspended: true }, 'audience', 'attention'],
] as const)('a stream with %j has the check %s: %s', (change, check, state) => {
  expect(checkReadiness({ ...stream, ...change }, [], {})[check]).toBe(state);
});

test.each([
  ['without an attempt', {}, {}, 'attention'],
  ['that was reached', { reached: true }, {}, 'ready'],
  ['that failed', { reached: false }, {}, 'attention'],
  ['that failed and accepted a later test', { reached: false }, tested('accepted'), 'ready'],
  ['that was reached and rejected a later test', { reached: true }, tested('publish_rejected'), 'attention'],
  ['that is disabled', { disabled: true, reached: false }, tested('accepted'), 'off'],
] as const)('a target %s', (_, change, tests, state) => {
  expect(checkTarget({ ...target, ...change }, tests)).toBe(state);
});

test('a disabled target is not counted', () => {
  const checks = checkReadiness(stream, [target, { ...target, id: 'b', disabled: true }], {});
  expect(countReady(checks)).toEqual({ ready: 1, of: 4 });
});

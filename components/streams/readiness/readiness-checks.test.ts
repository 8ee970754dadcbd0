import { expect, test } from 'vitest';
import { checkReadiness, checkTarget, countReady } from './readiness-checks';

const stream = { lastSeen: 0, backup: false, slate: false, record: false, suspended: false };
const target = { disabled: false, reached: null };

test('of a new stream, only the check of its viewers is ready, and recording is not counted', () => {
  const checks = checkReadiness(stream, []);
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
  const preparedStream = { ...stream, lastSeen: 1, backup: true, slate: true, record: true };
  const checks = checkReadiness(preparedStream, [{ ...target, reached: true }]);
  expect(new Set([...checks.targets, checks.encoder, checks.recording, checks.encoderLoss])).toEqual(
    new Set(['ready']),
  );
  expect(countReady(checks)).toEqual({ ready: 5, of: 5 });
});

test.each([
  [{ backup: true }, 'encoderLoss', 'missing'],
  [{ slate: true }, 'encoderLoss', 'missing'],
  [{ suspended: true }, 'audience', 'attention'],
] as const)('for a stream with %j, the check %s is: %s', (change, check, state) => {
  expect(checkReadiness({ ...stream, ...change }, [])[check]).toBe(state);
});

test.each([
  ['that was never tested or used', {}, 'attention'],
  ['that was reached', { reached: true }, 'ready'],
  ['that failed', { reached: false }, 'attention'],
  ['that is disabled', { disabled: true, reached: false }, 'off'],
] as const)('a target %s (%j) has the check: %s', (_, change, state) => {
  expect(checkTarget({ ...target, ...change })).toBe(state);
});

test('a disabled target is not counted', () => {
  const checks = checkReadiness(stream, [target, { ...target, disabled: true }]);
  // Encoder, enabled target, loss of the encoder, and viewers, of which only the last is ready.
  expect(countReady(checks)).toEqual({ ready: 1, of: 4 });
});

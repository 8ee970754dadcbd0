import { expect, test } from 'vitest';
import type { Asset } from '@/lib/contract/asset';
import { recordingStep } from './recording-step-words';

const asset = (phase: Asset['status']['phase'], progress?: number) => ({
  status: { phase, updatedAt: 1, ...(progress === undefined ? {} : { progress }) },
});
const live = { record: true, isActive: true };
const idle = { record: true, isActive: false };
const waiting = { recordingStatus: 'waiting' } as const;

test.each([
  [undefined, undefined, undefined, 'later', /is recorded and becomes/],
  [live, undefined, undefined, 'now', /being recorded/],
  [{ ...live, record: false }, undefined, undefined, 'later', /Switch recording on/],
  [{ ...idle, record: false }, undefined, undefined, 'later', /Switch recording on/],
  [idle, waiting, undefined, 'now', /goes on with the same recording/],
  [idle, waiting, asset('processing', 0.427), 'now', /being made: 42 %/],
  [idle, waiting, asset('processing'), 'now', /being made: 0 %/],
  [idle, { recordingStatus: 'ready' } as const, asset('ready'), 'done', /under Assets/],
])('%j, %j, %j: %s', (stream, session, newest, state, text) => {
  const step = recordingStep(stream, session, newest);
  expect(step.state).toBe(state);
  expect(step.text).toMatch(text);
});

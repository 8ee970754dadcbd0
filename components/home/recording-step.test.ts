import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import type { Asset } from '@/lib/contract/assets/asset';
import { recordingStep } from './recording-step';
import { omitUndefined } from '@/lib/core/omit-undefined';

const asset = (phase: Asset['status']['phase'], progress?: number) => ({
  status: { phase, updatedAt: 1, ...omitUndefined({ progress }) },
});
const live = { record: true, isActive: true };
const idle = { record: true, isActive: false };
const session = { state: 'ended', sourceSegments: 9, record: true } as const;
const processing = { ...session, recordingStatus: 'waiting' } as const;
const waiting = { ...processing, state: 'waiting' } as const;

test.each([
  [undefined, undefined, undefined, 'later', /are recorded and become videos/],
  [live, undefined, undefined, 'now', /Recording now/],
  [{ ...live, record: false }, undefined, undefined, 'later', /Turn on recording/],
  [{ ...idle, record: false }, undefined, undefined, 'later', /Turn on recording/],
  [idle, waiting, undefined, 'now', /the recording continues/],
  [idle, processing, undefined, 'now', /Processing the recording: 0 %/],
  [idle, waiting, asset('processing', 0.427), 'now', /Processing the recording: 42 %/],
  [idle, waiting, asset('processing'), 'now', /Processing the recording: 0 %/],
  [idle, { ...session, recordingStatus: 'ready' } as const, asset('ready'), 'done', /under Assets/],
])('stream %j, session %j and asset %j: the step is "%s"', (stream, session, newest, state, text) => {
  const step = recordingStep(englishMessages('home.recordingStep'), stream, session, newest);
  expect(step.state).toBe(state);
  expect(step.text).toMatch(text);
});

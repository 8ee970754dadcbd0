import { expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import { readListState } from '@/components/ui/table/list-state';
import { sessionListQueryOf, sessionListOptions } from './session-list';
import type { Session } from '@/lib/contract/sessions/session';
import { gapSeconds, noVideoText, recordingState } from './session-text';

const t = englishMessages('sessions.withoutVideo');
const endedSession = { record: true, state: 'ended', sourceSegments: 3 } as const;
const liveSession = { ...endedSession, state: 'live' } as const;
const waitingSession = { ...endedSession, state: 'waiting' } as const;

test.each([
  [{ ...endedSession, record: false }, 'notRecorded', 'idle'],
  [{ ...liveSession, record: false }, 'onAir', 'live'],
  [{ ...waitingSession, record: false }, 'waitingForEncoder', 'idle'],
  [{ ...waitingSession, recordingStatus: 'waiting' as const }, 'waitingForEncoder', 'idle'],
  [{ ...endedSession, recordingStatus: 'ready' as const }, 'ready', 'accent'],
  [{ ...endedSession, recordingStatus: 'waiting' as const }, 'processing', 'idle'],
  [{ ...liveSession, recordingStatus: 'waiting' as const }, 'recording', 'live'],
  [{ ...liveSession, recordingStatus: 'failed' as const }, 'failed', 'warn'],
  [{ ...endedSession, recordingStatus: 'failed' as const }, 'failed', 'warn'],
  [{ ...endedSession, recordingStatus: 'deleted' as const }, 'deleted', 'idle'],
  [{ ...endedSession, recordingStatus: 'none' as const }, 'empty', 'idle'],
  [{ ...liveSession, sourceSegments: 0 }, 'waitingForEncoder', 'idle'],
])('the session %j is shown as %s, with the tone %s', (session, state, tone) =>
  expect(recordingState(session)).toEqual({ state, tone }),
);

const stageText = (change: Partial<Session>, isAssetKept = false) =>
  noVideoText(t, { ...endedSession, ...change }, isAssetKept, untranslated);

test.each<[Partial<Session>, string]>([
  [{ state: 'waiting', recordingStatus: 'waiting' }, 'Waiting for the encoder'],
  [{ recordingStatus: 'waiting' }, 'Processing the recording'],
  [{ recordingStatus: 'none' }, 'Nothing was recorded'],
])('without video, the session %j has the title "%s" in place of the player', (change, title) =>
  expect(stageText(change).title).toBe(title),
);

test('the text for a session that was not recorded says how to record the next one', () =>
  expect(stageText({ record: false }).text).toContain('Turn on recording'));

test('the text for a failed recording is its error, if it is known', () => {
  expect(stageText({ recordingStatus: 'failed', recordingError: 'The disk was full.' }).text).toBe(
    'The disk was full.',
  );
  expect(stageText({ recordingStatus: 'failed' }).text).toBe('Unknown reason.');
});

test('the texts for a deleted recording say that it was deleted, or that its asset is kept', () => {
  expect(stageText({ recordingStatus: 'deleted' }).title).toContain('deleted');
  expect(stageText({ recordingStatus: 'deleted' }, true).text).toContain('asset made from it is kept');
});

test('the duration of a gap is in seconds and never negative', () => {
  expect(gapSeconds({ from: 1_000, to: 3_500 })).toBe(2.5);
  expect(gapSeconds({ from: 3_000, to: 1_000 })).toBe(0);
});

test('filters of the list become query parameters', () => {
  const apiQueryOf = (pageQuery: string) =>
    sessionListQueryOf(readListState(sessionListOptions, new URLSearchParams(pageQuery)));
  // The order "createdAt-true" is newest first.
  expect(apiQueryOf('')).toEqual({ limit: '20', count: '1', order: 'createdAt-true' });
  expect(apiQueryOf('?recorded=yes&stream=abc')).toMatchObject({
    filters: '[{"id":"record","value":true}]',
    parentId: 'abc',
  });
  expect(apiQueryOf('?recorded=no').filters).toBe('[{"id":"record","value":false}]');
});

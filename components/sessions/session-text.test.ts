import { expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import { readListState } from '@/components/ui/table/list-state';
import { sessionListQueryOf, sessionListOptions } from './session-list';
import { gapSeconds, noPictureText, recordingState } from './session-text';

const t = englishMessages('sessions.noPicture');
const recorded = { record: true, state: 'ended', sourceSegments: 3 } as const;
const live = { ...recorded, state: 'live' } as const;
const away = { ...recorded, state: 'waiting' } as const;

test.each([
  [{ ...recorded, record: false }, 'notRecorded', 'idle'],
  [{ ...live, record: false }, 'onAir', 'live'],
  [{ ...away, record: false }, 'waitingForEncoder', 'idle'],
  [{ ...away, recordingStatus: 'waiting' as const }, 'waitingForEncoder', 'idle'],
  [{ ...recorded, recordingStatus: 'ready' as const }, 'ready', 'accent'],
  [{ ...recorded, recordingStatus: 'waiting' as const }, 'processing', 'idle'],
  [{ ...live, recordingStatus: 'waiting' as const }, 'recording', 'live'],
  [{ ...live, recordingStatus: 'failed' as const }, 'failed', 'warn'],
  [{ ...recorded, recordingStatus: 'failed' as const }, 'failed', 'warn'],
  [{ ...recorded, recordingStatus: 'deleted' as const }, 'deleted', 'idle'],
  [{ ...recorded, recordingStatus: 'none' as const }, 'empty', 'idle'],
  [{ ...live, sourceSegments: 0 }, 'waitingForEncoder', 'idle'],
])('%j: %s', (session, state, tone) => expect(recordingState(session)).toEqual({ state, tone }));

test('the text in place of the player explains why and what to do', () => {
  expect(noPictureText(t, { ...recorded, record: false }, false, untranslated).text).toContain(
    'Turn on recording',
  );
  const failed = { ...recorded, recordingStatus: 'failed' as const };
  expect(
    noPictureText(t, { ...failed, recordingError: 'The disk was full.' }, false, untranslated).text,
  ).toBe('The disk was full.');
  expect(noPictureText(t, failed, false, untranslated).text).toBe('Unknown reason.');
  expect(noPictureText(t, { ...away, recordingStatus: 'waiting' }, false, untranslated).title).toBe(
    'Waiting for the encoder',
  );
  expect(noPictureText(t, { ...recorded, recordingStatus: 'waiting' }, false, untranslated).title).toBe(
    'Processing the recording',
  );
  expect(noPictureText(t, { ...recorded, recordingStatus: 'deleted' }, false, untranslated).title).toContain(
    'deleted',
  );
  expect(noPictureText(t, { ...recorded, recordingStatus: 'deleted' }, true, untranslated).text).toContain(
    'asset made from it is kept',
  );
  expect(noPictureText(t, { ...recorded, recordingStatus: 'none' }, false, untranslated).title).toBe(
    'Nothing was recorded',
  );
});

test('the duration of a gap is in seconds', () => {
  expect(gapSeconds({ from: 1_000, to: 3_500 })).toBe(2.5);
  expect(gapSeconds({ from: 3_000, to: 1_000 })).toBe(0);
});

test('filters of the list become query parameters', () => {
  const query = (text: string) =>
    sessionListQueryOf(readListState(sessionListOptions, new URLSearchParams(text)));
  expect(query('')).toEqual({ limit: '20', count: '1', order: 'createdAt-true' });
  expect(query('?recorded=yes&stream=abc')).toMatchObject({
    filters: '[{"id":"record","value":true}]',
    parentId: 'abc',
  });
  expect(query('?recorded=no').filters).toBe('[{"id":"record","value":false}]');
});

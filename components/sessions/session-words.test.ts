import { expect, test } from 'vitest';
import { readListState } from '@/components/ui/table/list-state';
import { sessionListQueryOf, sessionListShape } from './session-list';
import { gapSeconds, noPictureWords, recordingWord } from './session-words';

const recorded = { record: true, isActive: false } as const;

test.each([
  [{ record: false, isActive: true }, 'Not recorded', 'idle'],
  [{ ...recorded, recordingStatus: 'ready' as const }, 'Ready', 'accent'],
  [{ ...recorded, recordingStatus: 'waiting' as const }, 'Processing', 'idle'],
  [{ ...recorded, isActive: true, recordingStatus: 'waiting' as const }, 'Recording', 'live'],
  [{ ...recorded, recordingStatus: 'failed' as const }, 'Failed', 'warn'],
  [{ ...recorded, recordingStatus: 'deleted' as const }, 'Deleted', 'idle'],
  [{ ...recorded, recordingStatus: 'none' as const }, 'Empty', 'idle'],
  [{ ...recorded, isActive: true }, 'Waiting for video', 'idle'],
])('%j: %s', (session, label, tone) => expect(recordingWord(session)).toEqual({ label, tone }));

test('what stands in the place of a picture says why, and what to do', () => {
  expect(noPictureWords({ record: false, isActive: false }, false).text).toContain('Turn on recording');
  const failed = { ...recorded, recordingStatus: 'failed' as const };
  expect(noPictureWords({ ...failed, recordingError: 'The disk was full.' }, false).text).toBe(
    'The disk was full.',
  );
  expect(noPictureWords(failed, false).text).toBe('Unknown reason.');
  expect(noPictureWords({ ...recorded, recordingStatus: 'waiting' }, false).title).toBe(
    'Processing the recording',
  );
  expect(noPictureWords({ ...recorded, recordingStatus: 'deleted' }, false).title).toContain('deleted');
  expect(noPictureWords({ ...recorded, recordingStatus: 'deleted' }, true).text).toContain(
    'asset made from it is kept',
  );
  expect(noPictureWords({ ...recorded, recordingStatus: 'none' }, false).title).toBe('Nothing was recorded');
});

test('gaps in seconds', () => {
  expect(gapSeconds({ from: 1_000, to: 3_500 })).toBe(2.5);
  expect(gapSeconds({ from: 3_000, to: 1_000 })).toBe(0);
});

test('filters of the list are conditions of the call', () => {
  const query = (text: string) =>
    sessionListQueryOf(readListState(sessionListShape, new URLSearchParams(text)));
  expect(query('')).toEqual({ limit: '20', count: '1', order: 'createdAt-true' });
  expect(query('?recorded=yes&stream=abc')).toMatchObject({
    filters: '[{"id":"record","value":true}]',
    parentId: 'abc',
  });
  expect(query('?recorded=no').filters).toBe('[{"id":"record","value":false}]');
});

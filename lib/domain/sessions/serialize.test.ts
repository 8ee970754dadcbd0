import { describe, expect, test } from 'vitest';
import { session } from '@/lib/contract/sessions/session';
import type { Session, Stream } from '@/lib/generated/prisma/client';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';
import { serializeSession } from './serialize';

const row: Session & { parent: Pick<Stream, 'isActive' | 'issues'> } = {
  parent: { isActive: true, issues: [] },
  id: '2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92',
  teamId: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52',
  parentId: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10',
  name: 'Town hall',
  playbackId: 'f3a1h2v9c8x7m6n5',
  profiles: [],
  record: false,
  state: 'live',
  sourceSegments: 0,
  transcodedSegments: 0,
  sourceSegmentsDuration: 0,
  transcodedSegmentsDuration: 0,
  sourceBytes: 0n,
  transcodedBytes: 0n,
  createdAt: new Date(1_000),
  listedAt: new Date(1_000),
  lastSeen: null,
  endedAt: null,
  recordingSpec: null,
  recording: 'none',
  recordingError: null,
  recordingGaps: null,
  recordingAttempts: 0,
  recordingLease: null,
  recordingDueAt: null,
  recordingRemovedAt: null,
  playbackPolicy: null,
  playbackPasswordHash: null,
  playbackPolicyVersion: 0,
};

const settings = { cdnUrl: 'https://cdn.test' };
const urlFields = ['recordingUrl', 'mp4URL', 'mp4Url'];

describe('a session in the API', () => {
  test('has the fields of the contract and no others', () => {
    const object = serializeSession(
      { ...row, lastSeen: new Date(5_000), sourceBytes: 5_000_000_000n },
      settings,
    );
    expect(session.strict().parse(object)).toEqual(object);
    expect(object).toMatchObject({ createdAt: 1_000, lastSeen: 5_000, sourceBytes: 5_000_000_000 });
  });

  test('is waiting as soon as its encoder is lost, although the live node still holds it', () => {
    const reconnectingRow = { ...row, parent: { isActive: true, issues: [reconnectingIssue] } };
    expect(serializeSession(reconnectingRow, settings)).toMatchObject({ state: 'waiting', isActive: true });
    expect(serializeSession({ ...reconnectingRow, state: 'ended' }, settings).state).toBe('ended');
    const liveRow = { ...row, parent: { isActive: true, issues: ['Too few keyframes.'] } };
    expect(serializeSession(liveRow, settings).state).toBe('live');
  });

  test.each<[Partial<typeof row>, boolean, string | undefined]>([
    [{ state: 'live' }, true, undefined],
    [{ state: 'live', parent: { isActive: false, issues: [] } }, false, undefined],
    [{ state: 'waiting' }, false, undefined],
    [{ state: 'ended' }, false, undefined],
    [{ state: 'live', record: true }, true, 'waiting'],
    [{ state: 'live', record: true, recording: 'recording' }, true, 'waiting'],
    [{ state: 'waiting', record: true, recording: 'waiting' }, false, 'waiting'],
    [{ state: 'ended', record: true, recording: 'processing' }, false, 'waiting'],
    [{ state: 'ended', record: true, recording: 'importing' }, false, 'waiting'],
    [{ state: 'ended', record: true, recording: 'failed' }, false, 'failed'],
    [{ state: 'ended', record: true, recording: 'deleted' }, false, 'deleted'],
    [{ state: 'ended', record: true, recording: 'empty' }, false, 'none'],
  ])('with the columns %j has isActive %s and recordingStatus %s', (columns, isActive, recordingStatus) => {
    const object = serializeSession({ ...row, ...columns }, settings);
    expect(object.isActive).toBe(isActive);
    expect(object.recordingStatus).toBe(recordingStatus);
    expect('recordingStatus' in object).toBe(recordingStatus !== undefined);
    for (const field of urlFields) expect(object).not.toHaveProperty(field);
  });

  test('with a finished recording has its URLs, gaps and error', () => {
    const ready = { ...row, state: 'ended', record: true, recording: 'ready' } as const;
    const gaps = [{ from: 10, to: 20 }];
    const object = serializeSession(
      { ...ready, recordingGaps: gaps, recordingError: 'The disk is almost full.', recordingSpec: {} },
      settings,
    );
    expect(session.strict().parse(object)).toEqual(object);
    expect(object).toMatchObject({
      recordingUrl: `https://cdn.test/recordings/${row.id}/index.m3u8`,
      mp4URL: `https://cdn.test/recordings/${row.id}/source.mp4`,
      mp4Url: `https://cdn.test/recordings/${row.id}/source.mp4`,
      recordingGaps: gaps,
      recordingError: 'The disk is almost full.',
      recordingSpec: {},
    });
  });
});

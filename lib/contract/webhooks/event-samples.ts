import { eventNames, type EventName } from '@/lib/core/webhooks/events';
import { readyAsset, uploadTask } from '@/lib/contract/assets/asset-examples';
import { eventPayloads, isStreamScoped } from './event';

/** Samples of all events, for the documentation and for test events. event.test.ts checks them against the schemas. */

const CREATED_AT = 1_767_225_600_000;
const streamId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';
const playbackId = 'f3a1h2v9c8x7m6n5';

const sampleStream = (userId: string, isActive: boolean) => ({
  id: streamId,
  kind: 'stream',
  userId,
  name: 'Town hall',
  createdAt: CREATED_AT,
  playbackId,
  profiles: [{ name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 }],
  isActive,
  lastSeen: CREATED_AT + 60_000,
  record: true,
  suspended: false,
  multistream: { targets: [] },
  sourceSegments: 30,
  transcodedSegments: 30,
  sourceSegmentsDuration: 60,
  transcodedSegmentsDuration: 60,
  sourceBytes: 22_500_000,
  transcodedBytes: 15_000_000,
  isHealthy: isActive ? true : null,
  issues: null,
  lastTerminatedAt: null,
  backup: false,
  slate: false,
  slateSeconds: null,
  recordSlate: false,
  fallbackAfterMs: 3_000,
});

const sampleSession = (userId: string, recordingStatus: 'waiting' | 'ready') => ({
  id: '2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92',
  kind: 'session',
  userId,
  name: 'Town hall',
  parentId: streamId,
  playbackId,
  createdAt: CREATED_AT,
  lastSeen: CREATED_AT + 60_000,
  isActive: false,
  state: 'ended',
  profiles: [],
  record: true,
  sourceSegments: 30,
  transcodedSegments: 30,
  sourceSegmentsDuration: 60,
  transcodedSegmentsDuration: 60,
  sourceBytes: 22_500_000,
  transcodedBytes: 15_000_000,
  recordingStatus,
});

const recordingUrl = 'https://cdn.example.com/recordings/2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92/index.m3u8';
const mp4Url = 'https://cdn.example.com/recordings/2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92/source.mp4';

const slowSourceIssue =
  'Video arrives at 81% of real time: lower the bitrate in the encoder, or check whether its CPU or the network is overloaded';

const targetError =
  'live.example.com closed the connection. Check whether the event there has ended, and that no other encoder uses the stream key.';

/** The payload of a sample; null for an event without a payload. */
function payloadOf(name: EventName, userId: string): object | null {
  if (eventPayloads[name] === null) return null;
  if (name === 'recording.ready') {
    const recordingFields = { recordingUrl, mp4Url, mp4URL: mp4Url, assetId: readyAsset.id };
    return { recordingUrl, mp4Url, session: { ...sampleSession(userId, 'ready'), ...recordingFields } };
  }
  if (name === 'stream.rejected') {
    const message = 'video codec is HEVC; H.264 is accepted';
    return { reason: 'unsupported_media', message, address: '203.0.113.7' };
  }
  if (name === 'stream.warning') return { issues: [slowSourceIssue] };
  if (name === 'stream.switched') return { to: 'standby' };
  if (name === 'stream.viewers_stalling') return { share: 0.42, viewers: 212, cause: 'encoder_silent' };
  if (name.startsWith('recording.')) return { session: sampleSession(userId, 'waiting') };
  if (name.startsWith('multistream.')) {
    const target = { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', name: 'Video site', profile: 'source' };
    return { target, ...(name === 'multistream.error' ? { error: targetError } : {}) };
  }
  return name.startsWith('asset.') ? assetPayload(name, userId) : taskPayload(name, userId);
}

function assetPayload(name: EventName, userId: string) {
  const failedStatus = {
    phase: 'failed',
    updatedAt: CREATED_AT,
    errorMessage: 'the file has no video track',
  };
  const status = name === 'asset.failed' ? failedStatus : readyAsset.status;
  const snapshot = { ...readyAsset, userId, status };
  return { asset: { id: snapshot.id, snapshot } };
}

function taskPayload(name: EventName, userId: string) {
  const hasEnded = name === 'task.completed' || name === 'task.failed';
  const statusByEvent = {
    'task.completed': { phase: 'completed', updatedAt: CREATED_AT + 9_000, progress: 1 },
    'task.failed': { phase: 'failed', updatedAt: CREATED_AT, errorMessage: 'the file has no video track' },
    'task.updated': { phase: 'running', updatedAt: CREATED_AT + 3_000, progress: 0.4 },
  };
  const snapshot = {
    ...uploadTask,
    userId,
    status: isKeyOf(statusByEvent, name) ? statusByEvent[name] : uploadTask.status,
  };
  const task = { id: snapshot.id, type: snapshot.type, snapshot };
  return { task, ...(hasEnded ? { success: name === 'task.completed' } : {}) };
}

/** Whether an object has an own property with this key. */
function isKeyOf<T extends object>(object: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(object, key);
}

interface SampleContent {
  readonly sequence?: number;
  readonly stream?: object;
  readonly payload?: object;
}

/**
 * Creates the sample of an event without the fields that all events have.
 * @param userId id of the team, which the objects of the API call `userId`
 */
export function createSampleContent(name: EventName, userId: string): SampleContent {
  const payload = payloadOf(name, userId);
  const isActive = ![
    'stream.idle',
    'stream.rejected',
    'recording.waiting',
    'recording.ready',
    'multistream.disconnected',
  ].includes(name);
  return {
    ...(isStreamScoped(name)
      ? { sequence: eventNames.indexOf(name) + 1, stream: sampleStream(userId, isActive) }
      : {}),
    ...(payload ? { payload } : {}),
  };
}

/** Creates the body of a sample delivery of an event. */
export function createSampleEvent(name: EventName) {
  return {
    id: '8f14e45f-ceea-467f-9e2b-6c1a5d3b7e90',
    webhookId: '6a0c4d52-0f0b-4a53-9c0e-54a2f0d6b7c1',
    createdAt: CREATED_AT + 60_000,
    timestamp: CREATED_AT + 60_120,
    event: name,
    ...createSampleContent(name, '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52'),
  };
}

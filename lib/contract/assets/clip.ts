import { MINUTE_MS } from '@/lib/core/units';
import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { viewerProof } from '@/lib/contract/access/playback-token';
import { idParams, listQuery, playbackId, uuid, nameText } from '@/lib/contract/primitives';
import { clipLimits, viewerClipLimits } from '@/lib/core/sessions/clip-range';
import { task } from '@/lib/contract/tasks/task';
import { asset } from './asset';
import { clipAsset, clipRequest, clipTask } from './asset-examples';

const exampleStreamId = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';
const exampleSessionId = '2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92';

const milliseconds = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

const createClipBody = z.strictObject({
  playbackId: playbackId.meta({ description: 'Playback id of a stream or asset.' }),
  startTime: milliseconds.meta({
    description:
      'For a stream: Unix time in milliseconds, as in `EXT-X-PROGRAM-DATE-TIME`. For an asset: milliseconds from its beginning. The clip starts with exactly this frame.',
  }),
  endTime: milliseconds.exactOptional().meta({
    description: `In the same unit as \`startTime\`. Omitted: now, or the end of the recording or asset. A clip lasts ${clipLimits.minDurationMs / 1_000} second to ${clipLimits.maxDurationMs / MINUTE_MS} minutes.`,
  }),
  name: nameText(500).exactOptional().meta({ description: 'Defaults to the name of the stream or asset.' }),
  sessionId: uuid.exactOptional().meta({
    description:
      'A recorded session of the stream. Omitted: the newest one that started before the clip ends.',
  }),
});

/** The response to a viewer who created a clip. */
const viewerClip = z
  .object({
    playbackId,
    url: z
      .url()
      .meta({ description: 'The watch page of the clip, which plays the clip as soon as it is ready.' }),
  })
  .meta({ id: 'ViewerClip' });

export const createClip = defineEndpoint({
  id: 'createClip',
  method: 'POST',
  path: '/api/clip',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Create a clip',
  description: `Creates an asset from a part of a stream that is being recorded, of a recording or of an asset, without encoding it again. At most ${clipLimits.maxRunning} clips of a team can be made at the same time; more are rejected with 403.`,
  body: createClipBody,
  response: z.object({ asset, task }),
  status: 200,
  errors: [
    [402, 'The storage quota of the team is used up.'],
    [404, 'The team has no asset, recording or recorded stream with this playback id.'],
    [412, 'The stream has no recording, or the asset has no playable file.'],
  ],
  example: { body: clipRequest, response: { asset: clipAsset, task: clipTask } },
});

/** Endpoint for the clip button of watch pages. The Studio API does not have it. */
export const createViewerClip = defineEndpoint({
  id: 'createViewerClip',
  method: 'POST',
  path: '/api/playback/{id}/clip',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Playback',
  summary: 'Create a clip as a viewer',
  description: `Creates a clip of up to ${viewerClipLimits.maxDurationMs / 1_000} seconds from the recorded media of a stream with \`viewerClips\` on. It belongs to the team of the stream and has the playback policy of its source. No key required; CORS is open to any origin. If the playback policy requires a token or an access key, send it as a query parameter. The number of clips is limited per IP address, and to ${viewerClipLimits.maxPerStream} per stream and ${viewerClipLimits.maxPerTeam} per team in a day.`,
  params: z.object({
    id: z
      .string()
      .meta({ description: 'The playback id of a stream or, for a recording, the id of its session.' }),
  }),
  query: viewerProof,
  body: z.strictObject({
    startTime: milliseconds.meta({
      description:
        'Unix time in milliseconds, as in `EXT-X-PROGRAM-DATE-TIME`. The clip starts with exactly this frame.',
    }),
    endTime: milliseconds.meta({ description: 'Unix time in milliseconds.' }),
  }),
  response: viewerClip,
  rateLimit: 'viewer-clip',
  status: 201,
  errors: [
    [403, 'Viewers may not clip this stream, or the playback policy requires a token.'],
    [404, 'This playback id has no recording.'],
    [429, 'The IP address has created the maximum number of clips; see Retry-After.'],
  ],
  example: {
    params: { id: clipRequest.playbackId },
    body: { startTime: 1_767_225_612_000, endTime: 1_767_225_627_500 },
    response: {
      playbackId: clipAsset.playbackId,
      url: `http://localhost:3000/watch/${clipAsset.playbackId}`,
    },
  },
});

export const listStreamClips = defineEndpoint({
  id: 'listStreamClips',
  method: 'GET',
  path: '/api/stream/{id}/clips',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'List clips of a stream',
  description: 'Assets clipped from this stream or its recordings, newest first.',
  params: idParams,
  query: listQuery,
  response: z.array(asset),
  list: true,
  status: 200,
  errors: [400],
  example: { params: { id: exampleStreamId }, response: [clipAsset] },
});

export const listSessionClips = defineEndpoint({
  ...listStreamClips,
  id: 'listSessionClips',
  path: '/api/session/{id}/clips',
  tag: 'Sessions',
  summary: 'List clips of a session',
  description: 'Assets clipped from this session, newest first.',
  example: { params: { id: exampleSessionId }, response: [clipAsset] },
});

export const clipEndpoints = [createClip, createViewerClip, listStreamClips, listSessionClips];

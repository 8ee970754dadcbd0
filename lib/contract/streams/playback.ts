import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { publicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { viewerProof } from '@/lib/contract/access/playback-token';
import { chapter } from '@/lib/contract/assets/asset';
import { playbackTrack } from '@/lib/contract/assets/track';
import { timestamp } from '@/lib/contract/primitives';

const source = z
  .object({
    hrn: z
      .enum(['HLS (TS)', 'WebRTC (H264)', 'MP4', 'Thumbnail (JPEG)', 'Thumbnail (PNG)', 'Thumbnails'])
      .meta({ description: 'Human-readable name of the kind of source.' }),
    type: z.enum([
      'html5/application/vnd.apple.mpegurl',
      'html5/video/h264',
      'html5/video/mp4',
      'image/jpeg',
      'image/png',
      'text/vtt',
    ]),
    url: z.url(),
    size: z.int().exactOptional(),
    width: z.int().exactOptional(),
    height: z.int().exactOptional(),
    bitrate: z.int().exactOptional(),
  })
  .meta({ id: 'PlaybackSource' });

/** What a player needs to play a stream, asset or recording. */
export const playback = z
  .object({
    type: z.enum(['live', 'vod', 'recording']),
    meta: z.object({
      live: z
        .union([z.literal(0), z.literal(1)])
        .exactOptional()
        .meta({ description: '1 while the stream is live.' }),
      chapters: z.array(chapter).exactOptional().meta({ description: 'Only for an asset with chapters.' }),
      tracks: z
        .array(playbackTrack)
        .exactOptional()
        .meta({ description: 'Only for an asset with subtitles or captions.' }),
      playbackPolicy: publicPlaybackPolicy.exactOptional().meta({
        description:
          'Who may watch: the part of the playback policy that anyone may see. Absent: anyone with the playback id.',
      }),
      source: z.array(source),
      viewerClips: z
        .literal(true)
        .exactOptional()
        .meta({ description: 'Viewers may create clips: `POST /api/playback/{id}/clip`.' }),
      dvrPlayback: z
        .array(source.pick({ hrn: true, type: true, url: true }))
        .exactOptional()
        .meta({
          description:
            'Only for a stream with `record` or `dvrSeconds`: the live playlist with earlier segments of the session, up to `dvrSeconds` and at most four hours.',
        }),
    }),
  })
  .meta({ id: 'Playback' });

export type Playback = z.output<typeof playback>;

export const getPlayback = defineEndpoint({
  id: 'getPlayback',
  method: 'GET',
  path: '/api/playback/{id}',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Playback',
  summary: 'Retrieve playback info',
  description:
    'The URLs at which a stream, asset or recording can be played. No key required; CORS is open to any origin. If the playback policy requires a token or an access key, send it as a query parameter: the URLs then contain it. Without it, the URLs of thumbnails are omitted.',
  // Any text is accepted, so that an invalid playback id returns 404.
  params: z.object({
    id: z.string().meta({ description: 'The playback id or, for a recording, the id of its session.' }),
  }),
  query: viewerProof,
  response: playback,
  status: 200,
  errors: [],
  example: {
    params: { id: 'f3a1h2v9c8x7m6n5' },
    response: {
      type: 'live',
      meta: {
        live: 1,
        source: [
          {
            hrn: 'HLS (TS)',
            type: 'html5/application/vnd.apple.mpegurl',
            url: 'http://localhost:8080/hls/f3a1h2v9c8x7m6n5/index.m3u8',
          },
          {
            hrn: 'Thumbnail (JPEG)',
            type: 'image/jpeg',
            url: 'http://localhost:8080/hls/f3a1h2v9c8x7m6n5/thumbnail.jpg',
          },
        ],
      },
    },
  },
});

const playbackStatus = z
  .object({
    live: z.boolean(),
    viewers: z.int().min(0).meta({ description: 'Current viewers.' }),
    startedAt: timestamp.nullable().meta({
      description: 'When the current or last session started. Null if there was none.',
    }),
    endedAt: timestamp.nullable().meta({
      description: 'When the last session ended. Null while live, or if there was none.',
    }),
  })
  .meta({ id: 'PlaybackStatus' });

export type PlaybackStatus = z.output<typeof playbackStatus>;

/** Endpoint with the status that a watch page shows below the player. The Studio API does not have it. */
export const getPlaybackStatus = defineEndpoint({
  id: 'getPlaybackStatus',
  method: 'GET',
  path: '/api/playback/{id}/status',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Playback',
  summary: 'Retrieve live status',
  description:
    'Whether a stream is live, since when, and its number of viewers. No key required; CORS is open to any origin.',
  params: z.object({ id: z.string().meta({ description: 'The playback id of a stream.' }) }),
  response: playbackStatus,
  status: 200,
  errors: [],
  example: {
    params: { id: 'f3a1h2v9c8x7m6n5' },
    response: { live: true, viewers: 12, startedAt: 1_767_225_600_000, endedAt: null },
  },
});

export const playbackEndpoints = [getPlayback, getPlaybackStatus] as const;

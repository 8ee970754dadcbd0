import { z } from 'zod';
import { text, timestamp } from '@/lib/contract/primitives';
import { reason } from '@/lib/contract/reason';
import { pullHeadersFault, parsePullSource, pullUrlPattern } from '@/lib/core/streams/pull/pull-source';
import { pullStates } from '@/lib/core/streams/pull/pull-state';

/** Fields about a source that have no effect on the pull, for clients of the Studio API (docs/walks.md). */
const sourceDetails = {
  isMobile: z
    .union([z.literal(0), z.literal(1), z.literal(2), z.boolean()])
    .exactOptional()
    .meta({
      description: '0: not mobile, 1: screen share of a phone, 2: camera of a phone. Stored and returned.',
    }),
  location: z
    .strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) })
    .exactOptional()
    .meta({ description: 'Coordinates of the source in degrees. Stored and returned.' }),
};

/** The source of a pulled stream in the stream object. */
export const pull = z
  .object({
    source: z.string().meta({
      description:
        'URL of the source. API keys without the scope `streams` or `all`, and team members with the role viewer, get only its scheme and host.',
    }),
    headers: z.record(z.string(), z.string()).exactOptional().meta({
      description:
        'HTTP request headers. Absent for API keys without the scope `streams` or `all`, and for team members with the role viewer.',
    }),
    ...sourceDetails,
  })
  .meta({ id: 'Pull' });

export type Pull = z.output<typeof pull>;

/** The source of a pulled stream in a request. */
export const pullInput = z
  .strictObject({
    source: text(2_000, 1)
      .regex(pullUrlPattern, { error: 'must be an http(s)://, rtmp(s)://, srt:// or rtsp:// URL' })
      .meta({
        description:
          'URL of a source over HLS, HTTP (MPEG-TS or FLV), RTMP, RTMPS, SRT or RTSP, including the key and, for RTSP, the user name and password.',
        example: 'https://live.example.com/event/index.m3u8',
      }),
    headers: z.record(text(100, 1), text(2_000)).exactOptional().meta({
      description: 'Sent with each HTTP request to the host of `source`.',
    }),
    ...sourceDetails,
  })
  .superRefine(({ source: url, headers = {} }, context) => {
    // The check of `source` above already reports this.
    if (!pullUrlPattern.test(url)) return;
    const source = parsePullSource(url);
    const path = [typeof source === 'string' ? 'source' : 'headers'];
    const message = typeof source === 'string' ? source : pullHeadersFault(source, headers);
    if (message !== null) context.addIssue({ code: 'custom', path, message });
  })
  .meta({
    description:
      'The service pulls from this source and publishes the media until the stream is terminated, suspended or deleted.',
  });

export type PullInput = z.output<typeof pullInput>;

/** The current status of a pull. */
export const pullStatus = z
  .object({
    state: z.enum(pullStates).meta({
      description:
        'stopped: the pull ended, or was given up after 24 hours without media. waiting: the next attempt is scheduled. connecting: an attempt runs, and no media has arrived yet. pulling: media arrives.',
    }),
    since: timestamp.nullable().meta({ description: 'Null while stopped.' }),
    error: z
      .string()
      .exactOptional()
      .meta({ description: 'Why the last attempt ended. Absent while media arrives.' }),
    errorReason: reason.exactOptional(),
  })
  .meta({ id: 'PullStatus' });

export type PullStatus = z.output<typeof pullStatus>;

/** Fields of the stream object about pulling. */
export const pullOfStream = {
  pull: pull.exactOptional().meta({
    description: 'Source of a pulled stream. Absent: encoders publish to the stream.',
  }),
  pullStatus: pullStatus.exactOptional().meta({ description: 'Absent without `pull`.' }),
};

/** Fields about pulling in requests that create or change a stream. */
export const pullSetting = {
  pull: pullInput.nullable().exactOptional().meta({
    description:
      'Source to pull the stream from. The pull starts immediately, and ends a pull from another source. Null: the pull ends, and encoders can publish to the stream.',
  }),
};

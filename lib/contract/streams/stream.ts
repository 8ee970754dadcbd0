import { z } from 'zod';
import {
  creatorId,
  creatorIdInput,
  listQuery,
  playbackId,
  descriptionText,
  text,
  timestamp,
  uuid,
  nameText,
} from '@/lib/contract/primitives';
import { playbackPolicy, playbackPolicyInput } from '@/lib/contract/access/playback-policy';
import { targetSpec } from '@/lib/contract/targets/multistream';
import { isSrtPassphrase } from '@/lib/core/streams/srt-passphrase';
import { MAX_DVR_SECONDS } from '@/lib/core/streams/dvr';
import { MAX_STARTS_AT } from '@/lib/core/streams/schedule';
import { profiles, recordingSpec } from './profile';
import { encoderLoss, encoderLossInput, program } from './program';
import { reasons } from '@/lib/contract/reason';
import { pullOfStream, pullSetting } from './pull';

const counter = z.number().min(0);

const targetReferenceFields = {
  profile: text(64, 1).meta({ description: 'Name of a rendition; "source" is the unprocessed source.' }),
  videoOnly: z.boolean().exactOptional().meta({ description: 'Send video without audio.' }),
};

/** A reference to a multistream target. */
const targetReference = z.object({ id: uuid, ...targetReferenceFields }).meta({ id: 'TargetReference' });

/** A reference to a target in a request: to an existing target, or to a new target that is created with the stream. */
export const targetReferenceInput = z.strictObject({
  // An id that is not a UUID is rejected like an unknown target.
  id: text(100, 1).exactOptional().meta({ description: 'A multistream target of the team.' }),
  spec: targetSpec.exactOptional().meta({
    description:
      'Instead of `id`: a multistream target to create. Not for CORS-enabled keys with restricted access.',
  }),
  ...targetReferenceFields,
});

export type TargetReferenceInput = z.output<typeof targetReferenceInput>;

const tag = z.union([text(500), z.number()]);
const userTagsSchema = z.record(text(200, 1), z.union([tag, z.array(tag).max(100)]));

/** Labels that the team chooses. */
const userTags = userTagsSchema
  .refine((tags) => JSON.stringify(tags).length <= 2_048, {
    error: 'must not exceed 2048 characters as JSON',
  })
  .meta({ description: 'Your own labels: strings, numbers and lists of these.' });

export type UserTags = z.output<typeof userTagsSchema>;

const dvrSeconds = z.int().min(0).max(MAX_DVR_SECONDS);

/**
 * The stream object. One with `parentId` is a child-session object: clients of the Studio API (docs/walks.md) expect a stream
 * object for each session, with the id of the session. Its parent is the stream that the encoder published to.
 */
export const stream = z
  .object({
    id: uuid,
    kind: z.literal('stream'),
    userId: uuid,
    name: z.string(),
    createdAt: timestamp,
    createdByTokenName: z
      .string()
      .exactOptional()
      .meta({ description: 'Name of the API key that created the stream.' }),
    streamKey: z.string().exactOptional().meta({
      description:
        'The key with which encoders publish. Secret. Absent on child-session objects, for team members with the role viewer, and for API keys without the scope `streams` or `all`.',
    }),
    backupStreamKey: z.string().exactOptional().meta({
      description:
        'The key of a second encoder. Secret. Absent until `backup` is enabled for the first time, and where `streamKey` is absent.',
    }),
    srtPassphrase: z.string().exactOptional().meta({
      description:
        'The passphrase with which encoders must encrypt SRT. Secret. Absent: not set, and where `streamKey` is absent.',
    }),
    ...pullOfStream,
    playbackId,
    profiles,
    isActive: z.boolean().meta({ description: 'True while the stream is live.' }),
    lastSeen: timestamp.meta({ description: 'When media last arrived; 0 = never.' }),
    record: z.boolean().meta({ description: 'Whether new sessions are recorded.' }),
    suspended: z.boolean(),
    multistream: z.object({ targets: z.array(targetReference) }),
    sourceSegments: counter,
    transcodedSegments: counter,
    sourceSegmentsDuration: counter.meta({ description: 'Seconds.' }),
    transcodedSegmentsDuration: counter.meta({ description: 'Seconds.' }),
    sourceBytes: counter,
    transcodedBytes: counter,
    isHealthy: z
      .boolean()
      .nullable()
      .meta({ description: "Whether the encoder's media has no problems. Null until it is checked." }),
    issues: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Problems of the incoming media and how to fix them. Null if there are none.' }),
    issueReasons: reasons
      .exactOptional()
      .meta({ description: 'Reasons of the `issues`, in the same order. Absent if no issue has one.' }),
    lastTerminatedAt: timestamp.nullable(),
    ...encoderLoss,
    slatePictureUrl: z.url().exactOptional().meta({
      description: 'The slate picture, a PNG file. Absent: the slate shows the name of the stream.',
    }),
    posterUrl: z.url().exactOptional().meta({ description: 'The uploaded poster, a JPEG file.' }),
    program: program
      .nullable()
      .meta({ description: 'The inputs of a live stream. Null while it is not live.' }),
    parentId: uuid.exactOptional().meta({
      description:
        'The stream of the session. Only on child-session objects, of which each stream has one per session.',
    }),
    creatorId: creatorId.exactOptional(),
    userTags: userTagsSchema.exactOptional(),
    playbackPolicy: playbackPolicy.exactOptional(),
    recordingSpec: recordingSpec.exactOptional(),
    dvrSeconds: dvrSeconds.exactOptional().meta({ description: 'Absent: not set.' }),
    viewerClips: z.boolean().exactOptional().meta({ description: 'Absent: false.' }),
    description: z.string().exactOptional().meta({ description: 'For the watch page. Absent if empty.' }),
    showRecordings: z.boolean().exactOptional().meta({ description: 'Absent: false.' }),
    startsAt: timestamp
      .exactOptional()
      .meta({ description: 'Announced start of the next session. Absent: not announced.' }),
  })
  .meta({ id: 'Stream' });

export type Stream = z.output<typeof stream>;

/** Maximum number of targets of one stream. */
export const MAX_TARGETS = 20;

const multistream = z.strictObject({
  targets: z
    .array(targetReferenceInput)
    .max(MAX_TARGETS)
    .default([])
    .meta({ description: 'Replaces the whole list.' }),
});

const settableFields = {
  profiles: profiles
    .nullable()
    .exactOptional()
    .meta({ description: 'The renditions to make. Empty: no transcoding.' }),
  record: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Applies to new sessions. A session in progress keeps its setting.' }),
  recordingSpec: recordingSpec.nullable().exactOptional(),
  dvrSeconds: dvrSeconds.nullable().exactOptional().meta({
    description:
      'How far viewers can go back in the live stream, in seconds; 0: DVR is off. With `record` off, this much of a session is stored, and deleted when it ends. Null or never set: four hours with `record` on, otherwise 0. Applies immediately, including to a session in progress.',
  }),
  viewerClips: z.boolean().exactOptional().meta({
    description:
      'Whether viewers may create clips of up to a minute from the recorded media of the stream. The clips are assets of the team.',
  }),
  description: descriptionText.exactOptional(),
  showRecordings: z.boolean().exactOptional().meta({
    description: 'Whether the watch page of the stream lists its newest recordings.',
  }),
  startsAt: timestamp.max(MAX_STARTS_AT).nullable().exactOptional().meta({
    description:
      'When the next session starts, Unix time in milliseconds. The watch page counts down to it. Null: not announced.',
  }),
  ...encoderLossInput,
  srtPassphrase: z
    .string()
    .refine(isSrtPassphrase, {
      error: 'must be 10 to 79 letters, digits, dots, dashes, underscores or tildes',
    })
    .nullable()
    .exactOptional()
    .meta({
      description:
        'Encoders must encrypt with this passphrase when they publish over SRT (AES, `passphrase` in their settings). 10 to 79 letters, digits, dots, dashes, underscores or tildes. Null: SRT publishes are not encrypted. Applies to new connections.',
    }),
  suspended: z
    .boolean()
    .exactOptional()
    .meta({ description: 'True disconnects the publisher and rejects new ones.' }),
  multistream: multistream.exactOptional().meta({ description: 'Multistream targets of the stream.' }),
  creatorId: creatorIdInput
    .exactOptional()
    .meta({ description: 'Your own ID for the user that the stream was created for. Not verified.' }),
  userTags: userTags.exactOptional(),
  ...pullSetting,
  playbackPolicy: playbackPolicyInput.nullable().exactOptional(),
};

const name = nameText(500).meta({ description: 'Shown in the dashboard.' });

export const createStreamBody = z.strictObject({ name, ...settableFields });
export const updateStreamBody = z.strictObject({ name: name.exactOptional(), ...settableFields });

export const setRecordBody = z.strictObject({
  record: z
    .boolean({ error: 'record field required: true or false' })
    .meta({ description: 'Whether new sessions are recorded.' }),
});

export const listStreamsQuery = listQuery.extend({
  streamsonly: z.string().exactOptional().meta({ description: '1: only parent streams.', example: '1' }),
  sessionsonly: z.string().exactOptional().meta({ description: '1: only child-session objects.' }),
  active: z.string().exactOptional().meta({ description: '1: only active streams.' }),
});

/** Fields of the stream object that a body may have although they can't be changed. They are ignored. */
export const streamReadOnlyFields = [
  'id',
  'kind',
  'userId',
  'createdAt',
  'createdByTokenName',
  'streamKey',
  'backupStreamKey',
  'program',
  'slatePictureUrl',
  'posterUrl',
  'playbackId',
  'pullStatus',
  'isActive',
  'lastSeen',
  'sourceSegments',
  'transcodedSegments',
  'sourceSegmentsDuration',
  'transcodedSegmentsDuration',
  'sourceBytes',
  'transcodedBytes',
  'isHealthy',
  'issues',
  'issueReasons',
  'lastTerminatedAt',
  'parentId',
] as const;

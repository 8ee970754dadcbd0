import { z } from 'zod';
import { captionLimits } from '@/lib/core/captions/caption-file';
import { chapterLimits, misplacedChapterIndex } from '@/lib/core/assets/chapters';
import { playbackPolicy, playbackPolicyInput } from '@/lib/contract/access/playback-policy';
import {
  creatorId,
  creatorIdInput,
  playbackId,
  descriptionText,
  maskedUrlDescription,
  remoteUrl,
  text,
  timestamp,
  uuid,
  nameText,
} from '@/lib/contract/primitives';
import { fileHash, videoSpec } from './media-spec';
import { profiles } from '@/lib/contract/streams/profile';
import { reason } from '@/lib/contract/reason';
import { studioOptions } from './studio-options';

const progress = z.number().min(0).max(1).exactOptional().meta({ description: '0 to 1; never decreases.' });
const errorMessage = z.string().exactOptional().meta({ description: 'Why processing failed.' });

const source = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('directUpload'),
    sourceId: uuid.exactOptional(),
    assetId: uuid.exactOptional().meta({ description: 'The asset from which this one was transcoded.' }),
  }),
  z.object({
    type: z.literal('url'),
    url: z.string().meta({ description: maskedUrlDescription }),
  }),
  z.object({ type: z.literal('recording'), sessionId: uuid }),
  z.object({
    type: z.literal('clip'),
    playbackId: playbackId.meta({ description: 'The stream or asset from which this one was clipped.' }),
    sessionId: uuid
      .exactOptional()
      .meta({ description: 'The session from whose recording this one was clipped.' }),
    by: z
      .literal('viewer')
      .exactOptional()
      .meta({ description: '`viewer`: created by a viewer. Absent: created by the team.' }),
  }),
]);

/** A chapter of an asset. */
export const chapter = z
  .object({
    start: z
      .number()
      .min(0)
      .meta({ description: 'Seconds from the beginning. A chapter lasts until the next one starts.' }),
    title: text(chapterLimits.titleLength, 1).regex(/^[^\n\r]*\S[^\n\r]*$/, {
      error: 'must be one line that is not empty',
    }),
  })
  .meta({ id: 'Chapter' });

const ipfsFile = z.object({ cid: z.string(), url: z.string(), gatewayUrl: z.string() });

const ipfs = ipfsFile.partial().extend({
  spec: z
    .object({
      nftMetadataTemplate: z.enum(['player', 'file']).exactOptional(),
      nftMetadata: z.record(z.string(), z.json()).exactOptional(),
    })
    .exactOptional()
    .meta({ description: 'Settings of the last export.' }),
  nftMetadata: ipfsFile.exactOptional(),
  updatedAt: timestamp.exactOptional(),
});

const storage = z.object({
  ipfs: ipfs.exactOptional(),
  status: z.object({
    phase: z.enum(['waiting', 'processing', 'ready', 'failed', 'reverted']),
    progress,
    errorMessage,
    errorReason: reason.exactOptional(),
    tasks: z.object({
      pending: uuid.exactOptional(),
      last: uuid.exactOptional(),
      failed: uuid.exactOptional(),
    }),
  }),
});

export const asset = z
  .object({
    id: uuid,
    userId: uuid,
    name: z.string(),
    type: z.literal('video').exactOptional(),
    createdAt: timestamp,
    createdByTokenName: z.string().exactOptional(),
    playbackId,
    status: z.object({
      phase: z.enum(['uploading', 'waiting', 'processing', 'ready', 'failed', 'deleting', 'deleted']),
      updatedAt: timestamp,
      progress,
      errorMessage,
      errorReason: reason.exactOptional(),
    }),
    source,
    sourceAssetId: uuid
      .exactOptional()
      .meta({ description: 'The asset from which this one was transcoded.' }),
    size: z.int().min(0).exactOptional().meta({ description: 'Bytes.' }),
    hash: z.array(fileHash).exactOptional(),
    videoSpec: videoSpec.exactOptional(),
    chapters: z.array(chapter).exactOptional().meta({
      description: 'Chapters, from the file or set by the team. Absent if there are none.',
    }),
    description: z.string().exactOptional().meta({ description: 'For the watch page. Absent if empty.' }),
    tags: z.array(z.string()).exactOptional().meta({ description: 'Lower case. Absent if there are none.' }),
    posterTime: z.number().exactOptional().meta({
      description: 'Time of the poster frame in seconds. Absent: the poster was chosen automatically.',
    }),
    posterUrl: z
      .url()
      .exactOptional()
      .meta({ description: 'The uploaded poster, a JPEG file. Absent: a frame of the video.' }),
    playbackUrl: z
      .string()
      .exactOptional()
      .meta({ description: 'HLS playlist, once the asset can be played.' }),
    downloadUrl: z.string().exactOptional().meta({ description: 'MP4 file, once it is ready.' }),
    views: z.int().min(0).exactOptional().meta({
      description: 'Number of started views since the asset was created. Absent if there are none.',
    }),
    deliveredMinutes: z.number().min(0).exactOptional().meta({
      description: 'Minutes delivered to viewers since the asset was created. Absent if there are none.',
    }),
    storage: storage.exactOptional(),
    creatorId: creatorId.exactOptional(),
    playbackPolicy: playbackPolicy.exactOptional(),
  })
  .meta({ id: 'Asset' });

export type Asset = z.output<typeof asset>;

/** State of the copies of the asset in IPFS, as stored in the database. */
export type AssetStorage = z.output<typeof storage>;

/** Schema of the name of an asset. */
export const assetName = nameText(500).meta({
  description: 'Title of the asset, shown in the dashboard and on the watch page.',
});

const tags = z
  .array(
    text(50, 1)
      .trim()
      .toLowerCase()
      .regex(/^[^,\n\r]*[^,\s][^,\n\r]*$/, { error: 'must be one line that is not empty, without commas' }),
  )
  .max(20)
  .transform((terms) => [...new Set(terms)])
  .meta({ description: 'Up to 20 search terms; stored in lower case. They replace all tags.' });

/** Fields that can be set when an asset is created, and changed later. */
const settableFields = {
  tags: tags.exactOptional(),
  creatorId: creatorIdInput.exactOptional(),
  playbackPolicy: playbackPolicyInput.nullable().exactOptional(),
};

export const convertOption = z.boolean().exactOptional().meta({
  description:
    '`true`: a file that is not MP4 with H.264 and AAC is converted instead of rejected; the original is kept. No effect if the operator set `ACCEPT_MEDIA=mp4`.',
});

const renditionOptions = {
  profiles: profiles.exactOptional().meta({
    description:
      'Renditions that replace the default ones, encoded as soon as the file is ready. Each size is a box that the picture is fitted into; renditions larger than the picture of the file are left out.',
  }),
};

export const requestUploadBody = z.strictObject({
  name: assetName,
  convert: convertOption,
  ...settableFields,
  ...renditionOptions,
  ...studioOptions,
});

export const importAssetBody = z.strictObject({
  url: remoteUrl.meta({ description: 'The file to download.' }),
  name: assetName,
  convert: convertOption,
  ...settableFields,
  ...renditionOptions,
  ...studioOptions,
});

const chapters = z
  .array(z.strictObject(chapter.shape))
  .max(chapterLimits.count)
  .superRefine((list, context) => {
    const index = misplacedChapterIndex(list);
    if (index >= 0)
      context.addIssue({
        code: 'custom',
        path: [index, 'start'],
        message: 'must be later than the chapter before',
      });
  })
  .meta({ description: 'Replaces all chapters, in order. An empty list deletes them.' });

export const updateAssetBody = z.strictObject({
  name: assetName.exactOptional(),
  description: descriptionText.exactOptional(),
  ...settableFields,
  chapters: chapters.exactOptional(),
  posterTime: z.number().min(0).nullable().exactOptional().meta({
    description:
      'Time of the frame that becomes the poster, in seconds; viewers see it within a minute or two. `null`: chosen automatically. Deletes an uploaded poster.',
  }),
  chaptersFile: text(captionLimits.characters, 1).exactOptional().meta({
    description: 'Alternative to `chapters`: a WebVTT or SubRip file whose cues become the chapters.',
  }),
});

/** Fields of the asset object that a body may have although they can't be changed. They are ignored. */
export const assetReadOnlyFields = [
  'id',
  'userId',
  'type',
  'createdAt',
  'createdByTokenName',
  'playbackId',
  'status',
  'source',
  'sourceAssetId',
  'size',
  'hash',
  'videoSpec',
  'posterUrl',
  'playbackUrl',
  'downloadUrl',
  'views',
  'deliveredMinutes',
  'storage',
] as const;

import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, remoteUrl, text, timestamp, uuid } from '@/lib/contract/primitives';
import { captionLimits } from '@/lib/core/captions/caption-file';
import { languageTag } from '@/lib/core/captions/track-language';
import { assetId } from './asset-examples';
import { warnings } from './studio-options';

const kind = z.enum(['subtitles', 'captions']).meta({
  description: '`captions` also say what is heard besides speech, for viewers who cannot hear it.',
});

export const trackLabel = text(100, 1).regex(/^[^\n\r]*\S[^\n\r]*$/, {
  error: 'must be one line that is not empty',
});

/** A text track of an asset. */
export const track = z
  .object({
    id: uuid,
    kind,
    language: z.string().meta({ description: 'BCP 47 tag, such as `de` or `pt-BR`.' }),
    label: z.string().meta({ description: 'What viewers choose. Unique within the asset.' }),
    default: z.boolean().meta({ description: 'Shown unless the viewer chooses otherwise.' }),
    cues: z.int().min(0).meta({ description: 'Number of texts.' }),
    generated: z.boolean().meta({ description: 'Made by speech recognition, and not checked by a person.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Track' });

export type Track = z.output<typeof track>;

/** A track as listed for players. */
export const playbackTrack = track
  .pick({ kind: true, language: true, label: true, default: true })
  .extend({ url: z.url().meta({ description: 'WebVTT.' }) })
  .meta({ id: 'PlaybackTrack' });

export const trackLanguage = text(35, 2)
  .refine((tag) => languageTag(tag) !== null, { error: 'must be a BCP 47 language tag, such as en or pt-BR' })
  .transform((tag) => languageTag(tag) ?? tag);

const addTrackBody = z
  .strictObject({
    language: trackLanguage.meta({ description: 'BCP 47 tag, such as `de` or `pt-BR`.' }),
    kind: kind.exactOptional().meta({ description: '`subtitles` by default.' }),
    label: trackLabel
      .exactOptional()
      .meta({ description: 'Defaults to the name of the language in that language.' }),
    default: z.boolean().exactOptional().meta({ description: 'Takes it from the track that had it.' }),
    body: text(captionLimits.characters, 1)
      .exactOptional()
      .meta({ description: 'The WebVTT or SubRip (SRT) file.' }),
    url: remoteUrl.exactOptional().meta({ description: 'Where to download the file instead, in UTF-8.' }),
  })
  .refine(({ body, url }) => (body === undefined) !== (url === undefined), {
    path: ['body'],
    error: 'either body or url is required, and not both',
  });

export const addTrack = defineEndpoint({
  id: 'addTrack',
  method: 'POST',
  path: '/api/asset/{id}/tracks',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Add subtitles or captions',
  description:
    'Adds a WebVTT or SubRip file as a track of the asset. Players offer it within a minute. The file is rewritten as WebVTT: styles, regions and unknown tags are removed, and cues that end before they start are skipped with a warning. For chapters, send `chapters` with PATCH /api/asset/{id}.',
  params: idParams,
  body: addTrackBody,
  // Limit for a text of the largest size with escaped line breaks and two-byte letters.
  maxBodyBytes: 800_000,
  response: track.extend({ warnings }),
  status: 201,
  errors: [[409, 'The asset has as many tracks as it can, or another one has the label.']],
  example: {
    params: { id: assetId },
    body: { language: 'de', body: '1\n00:00:01,000 --> 00:00:03,500\nGuten Abend.\n' },
    response: {
      id: '3b2a1c0d-9e8f-4a7b-8c6d-5e4f3a2b1c0d',
      kind: 'subtitles',
      language: 'de',
      label: 'Deutsch',
      default: false,
      cues: 1,
      generated: false,
      createdAt: 1_767_225_600_000,
    },
  },
});

const { response: exampleTrack } = addTrack.example;

export const listTracks = defineEndpoint({
  id: 'listTracks',
  method: 'GET',
  path: '/api/asset/{id}/tracks',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'List subtitles and captions',
  description: 'All text tracks of the asset, oldest first.',
  params: idParams,
  response: z.array(track),
  status: 200,
  errors: [],
  example: { params: { id: assetId }, response: [exampleTrack] },
});

const trackParams = idParams.extend({ trackId: uuid });
const trackExample = { id: assetId, trackId: exampleTrack.id };

export const updateTrack = defineEndpoint({
  id: 'updateTrack',
  method: 'PATCH',
  path: '/api/asset/{id}/tracks/{trackId}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Change a track',
  description: 'Changes the fields in the body. To replace the text, add a track and delete this one.',
  params: trackParams,
  body: z.strictObject({ label: trackLabel.exactOptional(), default: z.boolean().exactOptional() }),
  readOnlyFields: ['id', 'kind', 'language', 'cues', 'generated', 'createdAt'],
  response: track,
  status: 200,
  errors: [[409, 'Another track of the asset has the label.']],
  example: { params: trackExample, body: { default: true }, response: { ...exampleTrack, default: true } },
});

export const deleteTrack = defineEndpoint({
  id: 'deleteTrack',
  method: 'DELETE',
  path: '/api/asset/{id}/tracks/{trackId}',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Assets',
  summary: 'Delete a track',
  description: 'Players no longer offer it. This cannot be undone.',
  params: trackParams,
  status: 204,
  errors: [],
  example: { params: trackExample },
});

export const trackEndpoints = [listTracks, addTrack, updateTrack, deleteTrack] as const;

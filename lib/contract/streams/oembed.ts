import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';

const pixels = (description: string) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,4}$/, { error: 'must be a number of pixels' })
    .exactOptional()
    .meta({ description, example: '640' });

/** Response with the field names of oEmbed 1.0 (https://oembed.com). */
const oembed = z
  .object({
    version: z.literal('1.0'),
    type: z.literal('video'),
    provider_name: z.string(),
    provider_url: z.url(),
    title: z.string(),
    html: z.string().meta({ description: 'The player in an iframe.' }),
    width: z.int(),
    height: z.int(),
    thumbnail_url: z.url().exactOptional(),
    thumbnail_width: z.int().exactOptional(),
    thumbnail_height: z.int().exactOptional(),
  })
  .meta({ id: 'OEmbed' });

export type OEmbed = z.output<typeof oembed>;

/** oEmbed endpoint for sites that embed a watch page. The Studio API does not have it. */
export const describeEmbed = defineEndpoint({
  id: 'describeEmbed',
  method: 'GET',
  path: '/api/oembed',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Playback',
  studio: false,
  summary: 'Embed a watch page (oEmbed)',
  description: 'For a URL under `/watch` or `/embed`. No key required; CORS is open to any origin.',
  query: z.object({
    url: z.string({ error: 'must be the URL of a watch page' }).max(2_000).meta({
      description: 'URL of the watch page.',
      example: 'http://localhost:3000/watch/f3a1h2v9c8x7m6n5',
    }),
    maxwidth: pixels('Maximum width in pixels.'),
    maxheight: pixels('Maximum height in pixels.'),
    format: z
      .literal('json', { error: 'must be json' })
      .exactOptional()
      .meta({ description: 'Format of the response.' }),
  }),
  response: oembed,
  status: 200,
  errors: [[404, 'This URL has no player.']],
  example: {
    response: {
      version: '1.0',
      type: 'video',
      provider_name: 'Headwater',
      provider_url: 'http://localhost:3000',
      title: 'Town hall',
      html: '<iframe src="http://localhost:3000/embed/f3a1h2v9c8x7m6n5" width="640" height="360" title="Town hall" style="border: 0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
      width: 640,
      height: 360,
    },
  },
});

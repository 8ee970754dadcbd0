import { z } from 'zod';
import { text } from './primitives';

const forbiddenHeaders =
  /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|proxy-.*|forwarded|x-forwarded-.*|metadata-flavor|x-aws-ec2-.*|__proto__)$/i;

const headers = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, { error: 'must be the name of an HTTP header' })
      .refine((name) => !forbiddenHeaders.test(name), { error: 'is a header that exports cannot set' }),
    z
      .string()
      .max(4_000)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'must be the value of an HTTP header, on one line' }),
  )
  .refine((all) => Object.keys(all).length <= 32, { error: 'must have at most 32 headers' })
  .refine((all) => Object.entries(all).flat().join('').length <= 8_192, { error: 'must not exceed 8 KB' });

const credential = text(4_000, 1);

const pinning = z.union(
  [z.strictObject({ jwt: credential }), z.strictObject({ apiKey: credential, apiSecret: credential })],
  { error: 'must hold either jwt, or apiKey together with apiSecret' },
);

/** Depth that a metadata document may have (reliability §3). */
const maxDepth = 16;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value as Record<string, unknown>).map(depthOf))
    : 0;

const nftMetadata = z
  .record(z.string().max(200), z.json())
  .refine((value) => depthOf(value) <= maxDepth, { error: `must not nest deeper than ${maxDepth} levels` })
  .meta({ description: 'Deep-merged with the default metadata; null removes a field.' });

const ipfs = z.strictObject({
  pinning: pinning.exactOptional(),
  pinata: pinning
    .exactOptional()
    .meta({ description: 'Another name for pinning, as older clients write it.' }),
  nftMetadata: nftMetadata.exactOptional(),
  nftMetadataTemplate: z.enum(['player', 'file']).exactOptional(),
});

const custom = z.strictObject({
  url: text(5_000, 1).regex(/^https?:\/\//, { error: 'must be an http:// or https:// URL' }),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .pipe(z.enum(['PUT', 'POST', 'PATCH']))
    .exactOptional()
    .meta({ description: 'PUT when left out.' }),
  headers: headers.exactOptional(),
});

/** Body of an export (specification §4.4): exactly one destination. */
export const exportBody = z
  .strictObject({ ipfs: ipfs.exactOptional(), custom: custom.exactOptional() })
  .refine((body) => (body.ipfs === undefined) !== (body.custom === undefined), {
    error: 'must hold exactly one of ipfs and custom',
  });

export type ExportBody = z.output<typeof exportBody>;
